import CPosix
import Dispatch
import Synchronization

extension LocalFileSystem {
    package func sync(_ handle: Handle) throws {
        if try !syncFully(handle) { try syncToDrive(handle) }
    }

    package func syncData(_ file: Handle) throws {
        if try syncFully(file) { return }
        _ = try call("sync", file.path) { posix_sync_data(file.descriptor) }
    }

    package func syncData(_ files: [Handle]) throws {
        guard let last = files.last, files.count > 1 else { return try files.forEach(syncData) }
        try syncSideBySide(files, posix_sync_data)
        try flushDrive(holding: last)
    }

    package func syncToDrive(_ handle: Handle) throws {
        _ = try call("sync", handle.path) { calls.sync(handle.descriptor) }
    }

    package func syncToDrive(_ handles: [Handle]) throws {
        try syncSideBySide(handles, calls.sync)
    }

    package func flushDrive(holding handle: Handle) throws { _ = try syncFully(handle) }

    package func startWriteback(_ file: Handle) { posix_start_writeback(file.descriptor) }

    /// Calls `sync` for each of `handles`, on several threads.
    ///
    /// - Throws: The error of one of them, once all calls have ended.
    private func syncSideBySide(
        _ handles: [Handle], _ sync: @Sendable (_ descriptor: Int32) -> Int32
    ) throws {
        handles.forEach(startWriteback)
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: handles.count) { number in
            let handle = handles[number]
            do {
                _ = try call("sync", handle.path) { sync(handle.descriptor) }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Syncs a file and flushes its drive, or returns false if there is no such call.
    ///
    /// Linux has no such call, and on Apple some volumes have none: those of networks and of other
    /// vendors. Any other failure is thrown: it is one of the drive, and fsync(2) would hide it.
    private func syncFully(_ handle: Handle) throws -> Bool {
        do {
            _ = try call("sync", handle.path) { calls.fullSync(handle.descriptor) }
            return true
        } catch let error as FileSystemError where error.code.meansUnsupported {
            return false
        }
    }
}
