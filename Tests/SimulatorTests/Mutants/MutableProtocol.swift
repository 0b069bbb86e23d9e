import FileSystem
import StoreModel
import TestSupport

/// The steps of an operation, or of the recovery from a power loss during it, which are mutated one
/// by one.
struct MutableProtocol: Sendable {
    var mode: CommitMode
    /// The operations before it.
    var before: [StoreOperation] = []
    var operation: StoreOperation
    var isRecovery = false

    /// All operations in all modes, and their recoveries; photographs are also transferred to a box
    /// that had photographs before, and removals of files and folders are taken back.
    static var all: [MutableProtocol] {
        let operations = CommitMode.allCases.flatMap { mode in
            Workload.simulated.filter { $0 != .undo && $0 != .redo }
                .map { MutableProtocol(mode: mode, operation: $0) }
                + [
                    MutableProtocol(
                        mode: mode, before: [.transferPhoto], operation: .transferPhoto)
                ] + undos(mode)
        }
        return operations
            + operations.map { operation in
                var recovery = operation
                recovery.isRecovery = true
                return recovery
            }
    }

    /// Undos that bring back folders and files, each after its operation.
    private static func undos(_ mode: CommitMode) -> [MutableProtocol] {
        [StoreOperation.removeBox, .severalChanges, .removePhoto, .replaceAndImport].map {
            MutableProtocol(mode: mode, before: [$0], operation: .undo)
        }
    }

    /// A short protocol whose steps all matter.
    static let sample = [MutableProtocol(mode: .rewrite, operation: .insertNote)]

    /// How each mutant breaks a promise during its protocol, or during another operation after it;
    /// nil for one that does not, and for one that `skips` leaves out.
    func mutants(
        _ simulator: Simulator, skips: (String) -> Bool
    ) throws -> [String: String?] {
        let following = simulator.size.length > 1 ? Workload.simulated : []
        var found: [String: String?] = [:]
        for record in try isRecovery ? recoveries(simulator) : [recorder(simulator)] {
            guard let alone = try record(nil) else { continue }
            let all = Mutant.all(of: alone, naming: name)
            found.merge(all.map { ($0.description, nil) }) { first, _ in first }
            let mutants = all.filter { !skips($0.description) }
            for operation in [nil] + following {
                let open = mutants.filter { found[$0.description] == .some(nil) }
                guard !open.isEmpty,
                    let recording = try record(operation)
                else { continue }
                var simulation = Simulation(
                    Workload(mode, []), recording, simulator.size, seed: simulator.seed)
                for mutant in open where found[mutant.description] == .some(nil) {
                    let failure = simulation.failure(of: mutant)
                    let operations = Workload(
                        mode, before + [self.operation] + (operation.map { [$0] } ?? []))
                    found[mutant.description] = .some(
                        failure.map { "\(operations)\(isRecovery ? " (recovery)" : ""), \($0)" })
                }
            }
        }
        return found
    }

    /// The name of a step, with roles in place of paths.
    private func name(_ step: String) -> String {
        Roles(in: operation, isBack: operation == before.last)(step)
    }
}

extension MutableProtocol {
    /// Records the protocol and the operation that follows; nil if that operation is not possible.
    private typealias Recorder = (_ following: StoreOperation?) throws -> Recording?

    private func recorder(_ simulator: Simulator) -> Recorder {
        let disk = simulator.disk(mode)
        return { following in
            let workload = Workload(
                mode, before + [operation] + (following.map { [$0] } ?? []))
            return try workload.isPossible
                ? Recording(workload, from: disk).withoutLocks : nil
        }
    }

    /// One recorder for each sequence of steps that a recovery takes.
    private func recoveries(_ simulator: Simulator) throws -> [Recorder] {
        guard let recording = try recorder(simulator)(nil) else { return [] }
        var seen: Set<[String]> = []
        var recoveries: [Recorder] = []
        let loss = PowerLoss(recording.events, on: recording.start, .posix)
        let moments = recording.begin...recording.events.count
        try loss.forEachState(
            at: moments, .init(exhaustive: 0, samples: 0, tears: 0), seed: 0
        ) { state in
            let steps = try Recording(recovering: state.image, mode).withoutLocks.steps
            guard !steps.isEmpty, seen.insert(steps.map(name)).inserted else { return }
            recoveries.append { following in
                let recording = try Recording(recovering: state.image, mode, then: following)
                return following == nil || recording.trees.count > 1
                    ? recording.withoutLocks : nil
            }
        }
        return recoveries
    }
}
