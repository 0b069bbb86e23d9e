import Foundation
import Synchronization

/// Counts bytes for a `Progress`, on several threads.
final class ByteProgress: Sendable {
    private let progress: Progress?
    private let done = Mutex(Int64(0))

    /// Begins to count up to `total` bytes.
    init(_ progress: Progress?, of total: Int = 0) {
        self.progress = progress
        begin(total)
    }

    /// Begins to count again, up to `total` bytes.
    func begin(_ total: Int) {
        done.withLock { $0 = 0 }
        progress?.completedUnitCount = 0
        progress?.totalUnitCount = Int64(total)
    }

    /// Adds `count` bytes of the file at `url`.
    ///
    /// - Throws: ``DirectoryError`` with `cancelled` if the progress or the task was cancelled.
    func count(_ count: Int, of url: URL) throws {
        done.withLock { done in
            done = done.addingUpToMax(Int64(count))
            progress?.completedUnitCount = done
        }
        try checkCancellation(url)
    }

    func checkCancellation(_ url: URL) throws {
        if progress?.isCancelled == true || Task.isCancelled {
            throw DirectoryError(.cancelled, "import", url, "the import was cancelled")
        }
    }
}

extension Progress {
    /// Makes two parts of the work, each of which counts for half of this progress, whose unit is
    /// the byte.
    func split(_ byteCount: Int) -> (first: Progress, second: Progress) {
        completedUnitCount = 0
        totalUnitCount = Int64(byteCount)
        let (first, second) = (Progress(totalUnitCount: 0), Progress(totalUnitCount: 0))
        addChild(first, withPendingUnitCount: totalUnitCount / 2)
        addChild(second, withPendingUnitCount: totalUnitCount - totalUnitCount / 2)
        return (first, second)
    }
}
