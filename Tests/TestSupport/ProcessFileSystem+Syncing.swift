package import FileSystem
import Synchronization

extension ProcessFileSystem {
    /// Counts syncs.
    struct Syncs {
        var underWay = 0
        var inARow = 0
    }

    /// How many syncs came one after the other so far; those that overlap or are asked for together count as one.
    package var syncsInARow: Int { syncs.withLock { $0.inARow } }

    private func counting(_ body: () throws -> Void) rethrows {
        syncs.withLock { syncs in
            if syncs.underWay == 0 { syncs.inARow += 1 }
            syncs.underWay += 1
        }
        defer { syncs.withLock { $0.underWay -= 1 } }
        try body()
    }

    private func fail(_ handle: Handle) throws { try (base as? RecordedDisk)?.failSync(handle) }

    package func sync(_ handle: Handle) throws {
        try counting {
            try call(
                "sync", handle.path, { try base.sync(handle) }, half: { try fail(handle) },
                ifSkipped: ())
        }
    }

    package func syncToDrive(_ file: Handle) throws {
        try counting {
            try call(
                "sync to drive", file.path, { try base.syncToDrive(file) },
                half: { try fail(file) },
                ifSkipped: ())
        }
    }

    package func syncData(_ files: [Handle]) throws {
        try counting { try files.forEach(syncData) }
    }

    package func syncToDrive(_ handles: [Handle]) throws {
        try counting { try handles.forEach(syncToDrive) }
    }

    package func flushDrive(holding handle: Handle) throws {
        try call("flush", handle.path, { try base.flushDrive(holding: handle) }, ifSkipped: ())
    }
}
