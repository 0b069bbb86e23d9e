import Foundation
import Synchronization

/// The progress of the copies of a stage, which its insert can share: each of the two counts half of each byte.
final class StageProgress: Sendable {
    /// Each progress, with the bytes of the copies that it has counted.
    private let counted = Mutex<[(progress: Progress, bytes: Int)]>([])

    /// The result of `body`, which copies `byteCount` bytes.
    ///
    /// - Throws: The error of `body`; `CancellationError` if the progress was cancelled before.
    func counting<Result>(
        _ byteCount: Int, _ progress: Progress?, _ body: (ByteProgress) throws -> Result
    ) throws -> Result {
        let earlier = counted.withLock { $0.first { $0.progress === progress }?.bytes ?? 0 }
        let bytes = ByteProgress(progress, of: byteCount, after: earlier, passes: 2)
        // There may be no bytes, which would be counted.
        try bytes.checkCancellation()
        let result = try body(bytes)
        bytes.finishPass()
        if let progress { add(byteCount, progress) }
        return result
    }

    private func add(_ byteCount: Int, _ progress: Progress) {
        counted.withLock { counted in
            if let place = counted.firstIndex(where: { $0.progress === progress }) {
                counted[place].bytes = counted[place].bytes.addingUpToMax(byteCount)
            } else {
                counted.append((progress, byteCount))
            }
        }
    }

    /// What counts the bytes of the insert for `progress`.
    func ofInsert(_ progress: Progress?) -> ByteProgress {
        let hasCounted = counted.withLock { $0.contains { $0.progress === progress } }
        return ByteProgress(progress, passes: hasCounted ? 2 : 1)
    }

    /// Finishes each progress.
    func finish() {
        let counted = counted.withLock { counted in
            defer { counted = [] }
            return counted
        }
        for (progress, _) in counted { ByteProgress(progress).finish() }
    }
}
