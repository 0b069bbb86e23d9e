import CPosix

extension LocalFileSystem {
    package func sync(_ handle: Handle) throws {
        if try !syncFully(handle) { try syncToDrive(handle) }
    }

    package func syncData(_ file: Handle) throws {
        if try syncFully(file) { return }
        _ = try call("sync", file.path) { posix_sync_data(file.descriptor) }
    }

    package func syncData(_ files: [Handle]) throws {
        for file in files.dropLast() {
            _ = try call("sync", file.path) { posix_sync_data(file.descriptor) }
        }
        if let last = files.last { try syncData(last) }
    }

    package func syncToDrive(_ handle: Handle) throws {
        _ = try call("sync", handle.path) { calls.sync(handle.descriptor) }
    }

    package func flushDrive(holding handle: Handle) throws { _ = try syncFully(handle) }

    package func startWriteback(_ file: Handle) { posix_start_writeback(file.descriptor) }

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
