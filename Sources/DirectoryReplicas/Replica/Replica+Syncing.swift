import Directory
import Dispatch
import FileSystem
import Foundation

extension Replica {
    /// Publishes the changes of this device, and imports those that have arrived, once.
    ///
    /// When this returns, the changes of this device are in the shared folder and on stable storage, and the
    /// collections have the changes that were there. If the process dies first, the next sync goes on.
    ///
    /// - Returns: The numbers of items that were published, imported, and so on.
    /// - Throws: ``ReplicaError`` with the [codes of every sync](doc:SeveralDevices#Codes-of-every-sync), such as
    ///   `folderMissing` if the shared folder is not there.
    @discardableResult
    public func sync() throws -> SyncReport { try sync(Cancellation()) }

    private func sync(_ cancellation: Cancellation) throws -> SyncReport {
        show { $0.status = .syncing }
        do {
            let (report, news) = try sessions.use(root.url, until: cancellation) { session in
                let report = try session.sync()
                return (report, session.news)
            }
            show(news)
            return report
        } catch {
            show { $0.status = .idle }
            if let news = try? sessions.use(root.url, { $0.news }) { show(news) }
            throw error
        }
    }

    /// Does the same as `sync()`, but does not block the caller's thread while it waits.
    ///
    /// If its task is cancelled, the sync ends between two collections, two files or two commits, with nothing half
    /// done, and the next sync goes on.
    ///
    /// - Throws: `CancellationError`, or ``ReplicaError`` with the [codes of every
    ///   sync](doc:SeveralDevices#Codes-of-every-sync).
    @discardableResult
    public func sync() async throws -> SyncReport { try await perform { try $0.sync($1) } }

    /// The result of `work`, which runs on a queue of the system, and is told when the task is cancelled.
    func perform<Result: Sendable>(
        _ work: @escaping @Sendable (Replica, Cancellation) throws -> Result
    ) async throws -> Result {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async { [self] in
                    continuation.resume(with: Swift.Result { try work(self, cancellation) })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Syncs after each change of the root, and once in each ``ReplicaOptions/interval``, until the task is cancelled.
    ///
    ///     .task { await replica.run() }
    ///
    /// So changes in the shared folder, and in collections in containers, are noticed after an interval.
    ///
    /// - Parameter onError: Called on the main thread with the error of a sync, once until a sync succeeds or throws
    ///   another error.
    public func run(onError: @escaping @Sendable (any Error) -> Void = { _ in }) async {
        let (wakes, wake) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let pause = interval / 5
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [root] in await root.collection.follow { wake.yield() } }
            group.addTask { [interval] in
                while !Task.isCancelled {
                    wake.yield()
                    // It is cancelled only when all of this ends.
                    try? await Task.sleep(for: interval)
                }
                wake.finish()
            }
            group.addTask {
                var last: String?
                for await _ in wakes {
                    do {
                        try await self.sync()
                        last = nil
                    } catch is CancellationError {
                        return
                    } catch {
                        let text = "\(error)"
                        if text != last { await MainActor.run { onError(error) } }
                        last = text
                    }
                    // Changes that follow each other soon become one segment.
                    try? await Task.sleep(for: pause)
                }
            }
        }
    }
}
