import StoreModel

/// The steps of a protocol as they were recorded once, and what can be left out or swapped in them.
struct MutableRecording: Sendable {
    /// Records the protocol and the operation that follows; nil if that operation is not possible.
    typealias Recorder = @Sendable (_ following: StoreOperation?) throws -> Recording?

    private let source: MutableProtocol
    private let record: Recorder
    var mutants: [Mutant]

    init(of source: MutableProtocol, _ record: @escaping Recorder, mutants: [Mutant]) {
        self.source = source
        self.record = record
        self.mutants = mutants
    }

    /// Tries the mutants during the protocol, or during one of `operations` after it.
    ///
    /// `isOpen` tells by its description whether a mutant is to be tried. `caught` is called with the
    /// description of each mutant that breaks a promise, and how it does.
    func tryMutants(
        _ simulator: Simulator, then operations: [StoreOperation?], isOpen: (String) -> Bool,
        caught: (String, String) -> Void
    ) throws {
        for operation in operations {
            guard mutants.contains(where: { isOpen($0.description) }),
                let recording = try record(operation)
            else { continue }
            var simulation = Simulation(
                Workload(source.mode, []), recording, simulator.size, seed: simulator.seed)
            for mutant in mutants where isOpen(mutant.description) {
                guard let failure = simulation.failure(of: mutant) else { continue }
                caught(mutant.description, "\(name(operation)), \(failure)")
            }
        }
    }

    private func name(_ following: StoreOperation?) -> String {
        let operations = source.before + [source.operation] + (following.map { [$0] } ?? [])
        return "\(Workload(source.mode, operations))\(source.isRecovery ? " (recovery)" : "")"
    }
}
