import FileSystem
import Foundation

/// The file that says which device this is, locked as long as the value lives.
///
/// Its text has its inode and the time when it was made. A copy, a clone or a restored backup of the file has another
/// inode or time: then the store is another device now, and takes a new id.
struct Identity {
    let handle: Handle
    /// The device that the store belongs to; nil if there is none yet, or if the store was copied.
    let device: DeviceID?

    /// Opens and locks the file, which is made if it is missing.
    ///
    /// - Throws: ``ReplicaError`` with `busy` if another process has the lock for ten seconds.
    init(_ files: LocalFiles, patience: Duration = .seconds(10)) throws {
        handle = try files.disk.openFile(
            files.device, in: files.folder, for: .openOrCreate(mode: 0o600))
        let deadline = ContinuousClock.now + patience
        while try !files.disk.tryLock(handle) {
            guard ContinuousClock.now < deadline else {
                throw ReplicaError(
                    .busy, files.url, "another process has been using the replica")
            }
            Thread.sleep(forTimeInterval: .random(in: 0.001...0.01))
        }
        device = try Self.device(files.disk.readAll(handle)[...], handle, on: files.disk)
    }

    private static func device(
        _ bytes: ArraySlice<UInt8>, _ handle: Handle, on disk: any FileSystem
    ) throws -> DeviceID? {
        let status = try disk.status(of: handle)
        guard let line = try? Lines(bytes).first, let fields = try? LineFields(line),
            let device = try? fields.text("device").flatMap({ DeviceID($0) }),
            try fields.text("mark") == mark(of: status)
        else { return nil }
        return device
    }

    /// The properties of a file that differ in every copy of it.
    private static func mark(of status: FileStatus) -> String {
        guard let created = status.created else {
            return "\(status.identity.device) \(status.identity.inode)"
        }
        return "\(status.identity.inode) \(created.seconds).\(created.nanoseconds)"
    }

    /// Writes durably that the store belongs to `device`.
    func write(_ device: DeviceID, on disk: any FileSystem) throws {
        let mark = try Self.mark(of: disk.status(of: handle))
        var writer = LineWriter()
        writer.line { line in
            line.member("format", Format.version)
            line.member("device", device.description)
            line.member("mark", mark)
        }
        try disk.truncate(handle, to: 0)
        try disk.write(writer.bytes, to: handle, at: 0)
        try disk.sync(handle)
    }
}

extension Lines {
    /// The first line; nil if there is none.
    fileprivate var first: ArraySlice<UInt8>? {
        get throws {
            var lines = self
            return try lines.next()
        }
    }
}
