import Foundation
import Synchronization

/// Counts bytes for a `Progress`, on several threads.
///
/// Passes have no `Progress` of their own: it would become a child of the current one, and a second
/// import with the same `Progress` would keep the children of the first.
final class ByteProgress: Sendable {
    private let progress: Progress?
    /// How often each byte is counted.
    private let passes: Int64
    private let counted = Mutex(Int64(0))

    /// Begins to count `total` bytes, unless `total` is nil, after `earlier` ones that this pass has counted before.
    init(_ progress: Progress?, of total: Int? = nil, after earlier: Int = 0, passes: Int64 = 1) {
        self.progress = progress
        self.passes = passes
        if let total { begin(earlier.addingUpToMax(total), done: Int64(earlier)) }
    }

    /// Begins the last pass over `total` bytes.
    func beginLastPass(_ total: Int) { begin(total, done: Int64(total) * (passes - 1)) }

    private func begin(_ total: Int, done: Int64) {
        counted.withLock { $0 = done }
        progress?.completedUnitCount = done / passes
        // Foundation for Linux traps if a total becomes 0, and a progress of 0 units never ends.
        progress?.totalUnitCount = max(1, Int64(total))
    }

    /// Adds `count` bytes of a file.
    ///
    /// - Throws: `CancellationError` if the progress or the task was cancelled.
    func count(_ count: Int) throws {
        if let progress {
            counted.withLock { counted in
                counted = counted.addingUpToMax(Int64(count))
                progress.completedUnitCount = counted / passes
            }
        }
        try checkCancellation()
    }

    /// Marks the first pass as done, also if there were fewer bytes than expected.
    func finishPass() {
        progress.map { $0.completedUnitCount = $0.totalUnitCount / passes }
    }

    /// Marks everything as done, also if there were no bytes or fewer than expected.
    func finish() {
        progress.map { $0.completedUnitCount = $0.totalUnitCount }
    }

    func checkCancellation() throws {
        if progress?.isCancelled == true || Task.isCancelled {
            throw CancellationError()
        }
    }
}
