import Dispatch
import Synchronization

/// Work of one index that commits leave for later: deleting files, and checkpoints.
final class BackgroundWork: Sendable {
    private let group = DispatchGroup()
    private let deletions = DispatchQueue(label: "Directory.deletions", qos: .utility)
    private let isCheckpointing = Atomic(false)

    /// Waits until all work that has begun is done.
    func wait() { group.wait() }

    /// Adds `work`, which deletes files; it runs soon, after the deletions before it.
    func begin(_ work: @escaping @Sendable () -> Void) {
        deletions.async(group: group, execute: work)
    }

    /// Runs `work`, a checkpoint, soon, unless one is running.
    func beginCheckpoint(_ work: @escaping @Sendable () -> Void) {
        guard !isCheckpointing.exchange(true, ordering: .relaxed) else { return }
        DispatchQueue.global(qos: .utility).async(group: group) { [self] in
            work()
            isCheckpointing.store(false, ordering: .relaxed)
        }
    }
}
