import FileSystem
import Foundation

/// The file that says which device this is, locked as long as the value lives.
///
/// Its text has its inode and the time when it was made. A copy, a clone or a restored backup of the file has another
/// inode or time: then the store is another device now, and takes a new id. It also names the machine. If the machine is
/// another one, somebody has moved the disk, or runs an image of it. Two machines must not write as one device, so the
/// store has an id on each machine, which it gets again when it comes back.
///
/// It is a class because a call that has the file open can take a new id.
final class Identity {
    let handle: Handle
    /// The machine that this process runs on.
    let machine: String
    /// What the store is on each machine, the last one first; empty if it is new, or was copied.
    private(set) var homes: [Home]

    /// The store on one machine, and what it had published there when it left the machine.
    struct Home: Equatable, Sendable {
        var machine: String
        var device: DeviceID
        /// The number of the newest segment of the device; 0 if it has written none, or the store is on the machine.
        var number = 0
        /// The files of the device in the shared folder.
        var files: Set<SegmentName> = []
        /// In bytes: the segments that were published since the last file with a state.
        var sizeOfChanges = 0

        /// Whether the store can be this device again, and `state` has all that the device has written.
        ///
        /// If the state has less, the store was set back on another machine. If it has more, this is an image of the
        /// disk, and its original has written since.
        func isAsLeft(in state: MergeState) -> Bool {
            number > 0 && state.seen[device] == number && !state.removedDevices.contains(device)
        }
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

    /// Writes durably that the store is `device` on this machine, and what it is on others.
    func write(_ device: DeviceID, others: [Home], on disk: any FileSystem) throws {
        homes = [Home(machine: machine, device: device)] + others
        let mark = try Self.mark(of: disk.status(of: handle))
        var writer = LineWriter()
        for home in homes { writer.line { $0.write(home, mark) } }
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
        let files = try fields.list("files", limit: .max)?.map { name in
            guard let name = FileName(try LineFields.text(name, "files")).flatMap(SegmentName.init)
            else { throw LineFields.invalid("files") }
            return name
        }
        return Home(
            machine: try fields.needed("machine"),
            device: try LineFields.device(fields.needed("device")),
            number: try fields.number("number", Limits.numbers) ?? 0, files: Set(files ?? []),
            sizeOfChanges: try fields.number("size", LocalRest.sizes) ?? 0)
    }
}

extension LineWriter {
    fileprivate mutating func write(_ home: Identity.Home, _ mark: String) {
        member("format", Format.version)
        member("device", home.device.description)
        member("machine", home.machine)
        member("mark", mark)
        if home.number == 0 { return }
        member("number", home.number)
        member("size", home.sizeOfChanges)
        name("files")
        array { for name in home.files.map(\.text).sorted() { $0.element(name) } }
    }
}
