import Dispatch
import Foundation
import Synchronization

extension FileSystem {
    /// Syncs the files with `names`, several at a time if they are many.
    ///
    /// Several syncs at once take about the time of one, because they share one commit of the
    /// volume's journal. The drive is flushed once, after the last one.
    ///
    /// - Parameters:
    ///   - names: The names of files in `folder`.
    ///   - folder: The folder that holds the files.
    ///   - step: Called before each file, one call at a time. If it throws, no more files are
    ///     synced.
    /// - Throws: The first error.
    package func syncFiles(
        _ names: [FileName], in folder: Handle, before step: @escaping @Sendable () throws -> Void
    ) throws {
        let job = SyncJob(fileSystem: self, folder: folder, names: names, step: step)
        let others = DispatchGroup()
        for _ in 0..<min(7, names.count / 8) {
            others.enter()
            Thread.detachNewThread {
                job.work()
                others.leave()
            }
        }
        job.work()
        others.wait()
        try job.result.get()
        if !names.isEmpty { try flushDrive(holding: folder) }
    }
}

/// A list of files to sync, shared by several threads.
private final class SyncJob: Sendable {
    private let fileSystem: any FileSystem
    private let folder: Handle
    private let names: [FileName]
    private let step: @Sendable () throws -> Void
    private let state = Mutex((done: 0, result: Result<Void, any Error>.success(())))

    init(
        fileSystem: any FileSystem, folder: Handle, names: [FileName],
        step: @escaping @Sendable () throws -> Void
    ) {
        self.fileSystem = fileSystem
        self.folder = folder
        self.names = names
        self.step = step
    }

    var result: Result<Void, any Error> { state.withLock { $0.result } }

    /// Syncs files until all are done or one has failed.
    func work() {
        while let name = next() {
            do {
                try fileSystem.syncToDrive(fileSystem.openFile(name, in: folder, for: .read))
            } catch {
                fail(error)
            }
        }
    }

    private func next() -> FileName? {
        state.withLock { state in
            guard case .success = state.result, state.done < names.count else { return nil }
            do {
                try step()
            } catch {
                state.result = .failure(error)
                return nil
            }
            defer { state.done += 1 }
            return names[state.done]
        }
    }

    private func fail(_ error: any Error) {
        state.withLock { state in
            if case .success = state.result { state.result = .failure(error) }
        }
    }
}
