import Dispatch
import Synchronization

/// The work that commits of one index leave for later: deleting files, and checkpoints.
final class BackgroundWork: Sendable {
    private let group = DispatchGroup()
    private let deletions = DispatchQueue(label: "Directory.deletions", qos: .utility)
    private let isCheckpointing = Atomic(false)

    /// Waits until all work that has begun is done.
    func wait() { group.wait() }

    /// Deletes files by `work` soon, after the deletions that were begun before.
    func begin(_ work: @escaping @Sendable () -> Void) {
        deletions.async(group: group, execute: work)
    }

    /// Does `work`, a checkpoint, soon, unless one is under way.
    func beginCheckpoint(_ work: @escaping @Sendable () -> Void) {
        guard !isCheckpointing.exchange(true, ordering: .relaxed) else { return }
        DispatchQueue.global(qos: .utility).async(group: group) { [self] in
            work()
            isCheckpointing.store(false, ordering: .relaxed)
        }
    }
}
