import FileSystem
import StoreModel
import TestSupport

/// The steps of an operation, or of what the next process does after a power loss or a kill during
/// it, which are mutated one by one.
struct MutableProtocol: Sendable {
    enum Subject: Sendable {
        case operation, recovery, succession
    }

    var mode: CommitMode
    /// The operations before it.
    var before: [StoreOperation] = []
    var operation: StoreOperation
    var subject = Subject.operation

    /// All operations in all modes, and what follows on them; photographs are also transferred to a box
    /// that had photographs before.
    static var all: [MutableProtocol] {
        let operations = CommitMode.allCases.flatMap { mode in
            Workload.simulated.map { MutableProtocol(mode: mode, operation: $0) } + [
                MutableProtocol(
                    mode: mode, before: [.transferPhoto], operation: .transferPhoto)
            ]
        }
        return [Subject.operation, .recovery, .succession].flatMap { subject in
            operations.map { operation in
                var operation = operation
                operation.subject = subject
                return operation
            }
        }
    }

    /// A protocol that has most kinds of steps.
    static let sample = [MutableProtocol(mode: .rewrite, operation: .importTwoPhotos)]

    /// Whether each mutant breaks a promise during its protocol, or during another operation after
    /// it; a mutant that `isCaught` says was caught in another protocol is not tried again.
    func mutants(
        _ simulator: Simulator, isCaught: (String) -> Bool
    ) throws -> [String: Bool] {
        let isLong = simulator.size.length > 1 && subject != .succession
        let following = isLong ? Workload.simulated : []
        var found: [String: Bool] = [:]
        for record in try recorders(simulator) {
            guard let alone = try record(nil) else { continue }
            let mutants =
                subject == .succession
                ? Mutant.all(ofOthersIn: alone, naming: name)
                : Mutant.all(of: alone, naming: name)
            for mutant in mutants where found[mutant.description] != true {
                found[mutant.description] = isCaught(mutant.description)
            }
            for operation in [nil] + following {
                guard mutants.contains(where: { found[$0.description] == false }),
                    let recording = try record(operation)
                else { continue }
                var simulation = Simulation(
                    Workload(mode, []), recording, size(simulator), seed: simulator.seed)
                for mutant in mutants where found[mutant.description] == false {
                    found[mutant.description] = simulation.catches(mutant)
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

    private func recorders(_ simulator: Simulator) throws -> [Recorder] {
        switch subject {
        case .operation: [recorder(simulator)]
        case .recovery: try recoveries(simulator)
        case .succession: try successions(simulator)
        }
    }

    private func size(_ simulator: Simulator) -> Size {
        var size = simulator.size
        if subject == .succession { size.effort = .init(exhaustive: 4, samples: 8, tears: 2) }
        return size
    }

    /// One recorder for each sequence of steps that the next process takes after a kill: when it
    /// opens all collections, and when it performs one of some operations.
    private func successions(_ simulator: Simulator) throws -> [Recorder] {
        let workload = Workload(mode, before + [operation])
        let dead = try Recording(workload, from: simulator.disk(mode))
        var seen: Set<[String]> = []
        var recorders: [Recorder] = []
        let operations: [StoreOperation?] = [
            nil, operation, .insertBox, .removeBox, .removePhoto, .transferPhoto,
        ]
        for kill in dead.begin...dead.events.count {
            for next in operations {
                let succession = Succession(kill: kill, operation: next)
                guard
                    let recording = try Recording(dead, killed: succession, mode)?.withoutLocks,
                    seen.insert(recording.steps[recording.begin...].map(name)).inserted
                else { continue }
                recorders.append { _ in recording }
            }
        }
        return recorders
    }

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
                return following == nil || recording.contents.count > 1
                    ? recording.withoutLocks : nil
            }
        }
        return recoveries
    }
}
