import FileSystem
import Foundation

/// The file that says which device this is, locked as long as the value lives.
///
/// Its text has its inode and the time when it was made. A copy, a clone or a restored backup of the file has another
/// inode or time: then the store is another device now, and takes a new id. It also names the machine. If that changes,
/// somebody has taken the disk there, or runs an image of the disk there, and the two machines must not write as one
/// device: the store has another id on each machine, and the old one again when it comes back.
struct Identity {
    let handle: Handle
    /// The machine that this process runs on.
    let machine: String
    /// What the store is on each machine, that on which it was last used first; none if it is new, or was copied.
    let homes: [Home]

    /// The store on one machine.
    struct Home: Equatable, Sendable {
        var machine: String
        var device: DeviceID
        /// The files of the device in the shared folder, if the store has left the machine.
        var files: Set<SegmentName> = []
    }

    /// Opens and locks the file, which is made if it is missing.
    ///
    /// - Throws: ``ReplicaError`` with `busy` if another process has the lock for ten seconds.
    init(_ files: LocalFiles, on machine: String, patience: Duration = .seconds(10)) throws {
        self.machine = machine
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
        let mark = try Self.mark(of: files.disk.status(of: handle))
        let bytes = try files.disk.readAll(handle)
        homes = (try? Self.homes(bytes[...], mark)) ?? []
    }

    /// The properties of a file that differ in every copy of it.
    private static func mark(of status: FileStatus) -> String {
        guard let created = status.created else {
            return "\(status.identity.device) \(status.identity.inode)"
        }
        return "\(status.identity.inode) \(created.seconds).\(created.nanoseconds)"
    }

    /// The device that the store is, if it was last used on this machine.
    var device: DeviceID? { homes.first?.machine == machine ? homes.first?.device : nil }

    /// Writes durably what the store is on this machine, and on others.
    func write(_ home: Home, others: [Home], on disk: any FileSystem) throws {
        let mark = try Self.mark(of: disk.status(of: handle))
        var writer = LineWriter()
        for home in [home] + others { writer.line { $0.write(home, mark) } }
        try disk.truncate(handle, to: 0)
        try disk.write(writer.bytes, to: handle, at: 0)
        try disk.sync(handle)
    }

    private static func homes(_ bytes: ArraySlice<UInt8>, _ mark: String) throws -> [Home] {
        var lines = Lines(bytes)
        var homes: [Home] = []
        while let line = try lines.next() { homes.append(try home(LineFields(line), mark)) }
        return homes
    }

    private static func home(_ fields: LineFields, _ mark: String) throws -> Home {
        guard try fields.needed("mark") == mark else { throw LineFields.invalid("mark") }
        let files = try fields.list("files")?.map { name in
            guard let name = FileName(try LineFields.text(name, "files")).flatMap(SegmentName.init)
            else { throw LineFields.invalid("files") }
            return name
        }
        return Home(
            machine: try fields.needed("machine"),
            device: try LineFields.device(fields.needed("device")), files: Set(files ?? []))
    }
}

extension LineWriter {
    fileprivate mutating func write(_ home: Identity.Home, _ mark: String) {
        member("format", Format.version)
        member("device", home.device.description)
        member("machine", home.machine)
        member("mark", mark)
        if home.files.isEmpty { return }
        name("files")
        array { for name in home.files.map(\.text).sorted() { $0.element(name) } }
    }
}
