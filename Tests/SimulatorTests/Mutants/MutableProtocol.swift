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
        withRecoveries { mode in
            Workload.simulated.filter { $0 != .undo && $0 != .redo }
                .map { MutableProtocol(mode: mode, operation: $0) }
                + [
                    MutableProtocol(
                        mode: mode, before: [.transferPhoto], operation: .transferPhoto)
                ] + undos(mode)
        }
    }

    /// Writes to several collections in all modes, and their recoveries.
    static var ofTreeWrites: [MutableProtocol] { withRecoveries(treeWrites) }

    private static func withRecoveries(_ operations: (CommitMode) -> [MutableProtocol])
        -> [MutableProtocol]
    {
        let operations = CommitMode.durable.flatMap(operations)
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

    /// Writes to several collections, which have journals before one of them, and undos of two.
    private static func treeWrites(_ mode: CommitMode) -> [MutableProtocol] {
        let all =
            StoreOperation.treeWrites.map { MutableProtocol(mode: mode, operation: $0) }
            + [MutableProtocol(mode: mode, before: [.writeTwoNotes], operation: .writeTwoNotes)]
            + [StoreOperation.writeNameAndNote, .writePhotosAndRemoval].map {
                MutableProtocol(mode: mode, before: [$0], operation: .undo)
            }
        return all.filter { ($0.before + [$0.operation])[0].modes.contains(mode) }
    }

    /// A short protocol whose steps all matter.
    static let sample = [MutableProtocol(mode: .rewrite, operation: .insertNote)]

    /// One recording for each sequence of steps that the protocol takes.
    func recordings(_ simulator: Simulator) throws -> [MutableRecording] {
        let recorders = try isRecovery ? recoveries(simulator) : [recorder(simulator)]
        return try recorders.compactMap { record in
            guard let alone = try record(nil) else { return nil }
            return MutableRecording(
                of: self, record, mutants: Mutant.all(of: alone, naming: name))
        }
    }

    /// The name of a step, with roles in place of paths.
    private func name(_ step: String) -> String {
        let undone = before.last.flatMap { StoreOperation.treeWrites.contains($0) ? $0 : nil }
        let isBack = operation == .transferPhoto && operation == before.last
        return Roles(in: operation == .undo ? undone ?? .undo : operation, isBack: isBack)(step)
    }
}

extension MutableProtocol {
    private func recorder(_ simulator: Simulator) -> MutableRecording.Recorder {
        let disk = simulator.disk(mode)
        return { following in
            let workload = Workload(
                mode, before + [operation] + (following.map { [$0] } ?? []))
            return try workload.isPossible
                ? Recording(workload, from: disk).withoutLocks : nil
        }
    }

    /// One recorder for each sequence of steps that a recovery takes.
    ///
    /// Each disk is recovered once: the next time, only the order of what is done in the background could
    /// be another one.
    private func recoveries(_ simulator: Simulator) throws -> [MutableRecording.Recorder] {
        guard let recording = try recorder(simulator)(nil) else { return [] }
        var disks: Set<Int> = []
        var seen: Set<[String]> = []
        var recoveries: [MutableRecording.Recorder] = []
        let loss = PowerLoss(recording.events, on: recording.start, .posix)
        let moments = recording.begin...recording.events.count
        try loss.forEachState(
            at: moments, .init(exhaustive: 0, samples: 0, tears: 0), seed: 0
        ) { state in
            guard disks.insert(state.image.fingerprint).inserted else { return }
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
