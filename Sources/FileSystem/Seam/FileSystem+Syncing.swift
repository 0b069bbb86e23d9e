import Dispatch
import Foundation
import Synchronization

extension FileSystem {
    /// Syncs the files with `names`, in groups of eight side by side, of which several are under way.
    ///
    /// Several syncs at once take about the time of one, because they share one commit of the
    /// volume's journal. The drive is flushed once, after the last sync.
    ///
    /// - Parameters:
    ///   - names: The names of files in `folder`.
    ///   - folder: The folder that holds the files.
    ///   - noteFailure: Called, on any thread, if the system does not sync a file: nobody knows then what the drive has.
    ///   - step: Called for each file after it is synced, on several threads. If it throws, no more groups are begun.
    /// - Throws: The first error, which need not be that of a sync that failed.
    package func syncFiles(
        _ names: [FileName], in folder: Handle,
        onFailedSync noteFailure: @escaping @Sendable () -> Void = {},
        after step: @escaping @Sendable (FileName) throws -> Void
    ) throws {
        let noting: @Sendable (() throws -> Void) throws -> Void = { sync in
            do {
                try sync()
            } catch {
                noteFailure()
                throw error
            }
        }
        let groups = stride(from: 0, to: names.count, by: 8).map { names[$0...].prefix(8) }
        try onThreads(groups.count, count: groups.count) { number in
            let files = try groups[number].map { try openFile($0, in: folder, for: .read) }
            try noting { try syncToDrive(files) }
            for name in groups[number] { try step(name) }
        }
        if !names.isEmpty { try noting { try flushDrive(holding: folder) } }
    }
}

extension FileSystem {
    /// Syncs files and folders of one volume side by side, and flushes the drive once.
    ///
    /// If the power fails before this returns, any of them can be durable without the others.
    package func sync(_ handles: [Handle]) throws {
        guard let last = handles.last, handles.count > 1 else { return try handles.forEach(sync) }
        try syncToDrive(handles)
        try flushDrive(holding: last)
    }
}

/// Calls `body`, which waits for the disk, with each number from 0 up to `count` on several threads.
///
/// The calling thread is one of them. Calls begin in the order of the numbers. After an error no
/// more calls begin.
///
/// - Parameters:
///   - threads: The number of threads, 8 at the most.
///   - count: The number of calls.
///   - body: Called with each number.
/// - Throws: The first error, once all calls have ended.
package func onThreads(
    _ threads: Int, count: Int, _ body: @escaping @Sendable (Int) throws -> Void
) throws {
    let job = Job(count: count, body: body)
    let others = DispatchGroup()
    for _ in 1..<max(1, min(8, threads, count)) {
        others.enter()
        Thread.detachNewThread {
            job.work()
            others.leave()
        }
    }
    job.work()
    others.wait()
    try job.result.get()
}

/// Numbered calls that several threads share.
private final class Job: Sendable {
    private let count: Int
    private let body: @Sendable (Int) throws -> Void
    private let state = Mutex((begun: 0, result: Result<Void, any Error>.success(())))

    init(count: Int, body: @escaping @Sendable (Int) throws -> Void) {
        self.count = count
        self.body = body
    }

    var result: Result<Void, any Error> { state.withLock { $0.result } }

    /// Makes calls on this thread until all have begun or one has failed.
    func work() {
        while let number = next() {
            do {
                try body(number)
            } catch {
                fail(error)
            }
        }
    }

    private func next() -> Int? {
        state.withLock { state in
            guard case .success = state.result, state.begun < count else { return nil }
            defer { state.begun += 1 }
            return state.begun
        }
    }

    private func fail(_ error: any Error) {
        state.withLock { state in
            if case .success = state.result { state.result = .failure(error) }
        }
    }
}
