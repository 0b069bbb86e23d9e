import FileSystem
import Foundation

/// Threads for work that waits for the disk, which must not block Swift's cooperative threads.
enum DiskQueue {
    /// Enough threads to keep a disk busy: volumes combine waiting syncs into one commit.
    private static let threadCount = 8

    private static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = threadCount
        queue.qualityOfService = .userInitiated
        return queue
    }()

    /// The result of `work`, which is called on one of these threads.
    ///
    /// Throws `CancellationError` if the task is cancelled before `work` begins.
    static func perform<Result: Sendable>(
        _ work: @escaping @Sendable (Cancellation) throws -> Result
    ) async throws -> Result {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.addOperation {
                    continuation.resume(
                        with: Swift.Result {
                            try cancellation.check()
                            return try work(cancellation)
                        })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
