import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

/// A device of a test: a store and a shared folder, both on a disk in memory.
final class TestDevice {
    let name: String
    let disk: MemoryFileSystem
    /// The name of the machine.
    private var machine: String
    /// What the device calls its disk, which can be killed.
    private(set) var process: ProcessFileSystem
    private(set) var projects: Directory<Project>
    private(set) var replica: Replica
    private let options: ReplicaOptions
    private let environment: ReplicaEnvironment

    var store: URL { URL(filePath: "/\(name)/store", directoryHint: .isDirectory) }
    var shared: URL { URL(filePath: "/\(name)/shared", directoryHint: .isDirectory) }

    init(
        _ name: String, on disk: MemoryFileSystem, options: ReplicaOptions = .init(),
        environment: ReplicaEnvironment? = nil, machine: String = "aaaaaaaa",
        fate: @escaping @Sendable (Int, String) -> ProcessFileSystem.Fate = { _, _ in .works }
    ) throws {
        (self.name, self.disk, self.machine, self.options) = (name, disk, machine, options)
        self.environment = environment ?? TestClock().environment(seed: 1)
        let process = ProcessFileSystem(disk, fateOfCall: fate)
        self.process = process
        (projects, replica) = try Self.open(
            name, process, options, self.environment, machine: machine)
    }

    static func open(
        _ name: String, _ process: any FileSystem, _ options: ReplicaOptions,
        _ environment: ReplicaEnvironment, machine: String = "aaaaaaaa"
    ) throws -> (Directory<Project>, Replica) {
        var storeOptions = DirectoryOptions()
        storeOptions.machine = machine
        let projects = try Directory<Project>(
            at: URL(filePath: "/\(name)/store", directoryHint: .isDirectory),
            index: "projects.json", options: storeOptions, on: process)
        let replica = try Replica(
            root: projects, in: URL(filePath: "/\(name)/shared", directoryHint: .isDirectory),
            on: process,
            children: [
                Child.photos.replicated(), Child.notes.replicated(), Child.tags.replicated(),
                Child.albums.replicated(Child.photos.replicated(), Child.notes.replicated()),
            ], options: options, environment: environment)
        return (projects, replica)
    }

    /// Ends the process, and begins another one on the same disk, perhaps on another machine.
    func restart(
        on machine: String? = nil,
        fate: @escaping @Sendable (Int, String) -> ProcessFileSystem.Fate = { _, _ in .works }
    ) throws {
        process.kill()
        self.machine = machine ?? self.machine
        process = ProcessFileSystem(disk, fateOfCall: fate)
        (projects, replica) = try Self.open(
            name, process, options, environment, machine: self.machine)
    }

    /// What the store is for other devices.
    var id: Replica.Device.ID {
        get throws { try #require(replica.devices.first { $0.isThis }?.id) }
    }

    var titles: Set<String> { Set(projects.items.map(\.title)) }

    func photos(_ project: UUID) throws -> Directory<Photo> {
        try projects.child(.photos, of: project)
    }

    func notes(_ project: UUID) throws -> Directory<Note> {
        try projects.child(.notes, of: project)
    }

    func albums(_ project: UUID) throws -> Directory<Album> {
        try projects.child(.albums, of: project)
    }

    func tags(_ project: UUID) throws -> Directory<Tag> { try projects.child(.tags, of: project) }

    @discardableResult func sync() throws -> SyncReport { try replica.sync() }

    /// Syncs in a process that is killed after its import was committed, and before that is recorded.
    func syncUntilCommit() throws {
        let records = Mutex(0)
        try restart { _, line in
            guard line.hasPrefix("write "), line.hasSuffix("/.projects.replica") else {
                return .works
            }
            // The first one says what has arrived.
            let number = records.withLock {
                $0 += 1
                return $0
            }
            return number == 2 ? .killed : .works
        }
        _ = try? sync()
        #expect(process.isDead)
        try restart()
        try projects.load()
    }

    /// Starts a process that may not open the file of a photo, or cannot read its bytes.
    func restart(withoutFileOf photo: Photo, afterOpening: Bool = false) throws {
        let call = afterOpening ? "read" : "open"
        let store = "\(call) /\(name)/store/"
        try restart { _, line in
            guard line.hasPrefix(store), line.contains(photo.fileName) else { return .works }
            return .fails(afterOpening ? .ioError : .accessDenied)
        }
    }

    /// Replaces the file of a photo.
    func replaceFile(of photo: UUID, in project: UUID, by bytes: [UInt8]) throws {
        try photos(project).replaceFile(of: photo, by: bytes)
    }
}

extension Directory<Photo> {
    func replaceFile(of photo: UUID, by bytes: [UInt8]) throws {
        let stage = try makeStage()
        try stage.write(Data(bytes), name: "moon.jpg")
        try write(importing: stage) { draft, assets in
            _ = try draft.update(id: photo, file: assets[0]) { $0.replaceFile(by: assets[0]) }
        }
    }
}

/// A clock of a test, which moves by itself.
final class TestClock: Sendable {
    private let time: Mutex<Int>

    init(_ time: Int = 1_700_000_000_000) { self.time = Mutex(time) }

    func advance(_ milliseconds: Int) { time.withLock { $0 += milliseconds } }

    var now: Int { time.withLock { $0 } }

    /// An empty disk, whose files are `age` seconds old by this clock when they are written.
    func makeDisk(age: Int = 0) -> MemoryFileSystem {
        MemoryFileSystem { FileTime(seconds: self.now / 1000 - age, nanoseconds: 0) }
    }

    /// What a replica gets from outside, with a clock that is wrong by `skew` milliseconds.
    func environment(seed: UInt64, skew: Int = 0) -> ReplicaEnvironment {
        let random = Mutex(SeededGenerator(seed: seed))
        return ReplicaEnvironment(
            now: { self.now + skew }, random: { random.withLock { $0.next() } })
    }
}

/// An engine that carries everything at once, in the way that a test asks for.
struct Carrier {
    let disk: any FileSystem

    /// Copies all files that are in the shared folder of one device to that of others, removes none, and returns how many
    /// were new to one of them.
    @discardableResult
    func carry(from one: TestDevice, to others: TestDevice...) throws -> Int {
        try others.reduce(0) { count, other in
            try count
                + copy(
                    one.disk.openOrMakeFolder(at: one.shared.path, mode: 0o755), on: one.disk,
                    other.disk.openOrMakeFolder(at: other.shared.path, mode: 0o755), on: other.disk)
        }
    }

    /// The paths of all files in the shared folder of a device.
    func files(from one: String) throws -> [[FileName]] {
        func files(in folder: Handle, _ path: [FileName]) throws -> [[FileName]] {
            try disk.list(folder).flatMap { name in
                try disk.status(of: name, in: folder)?.kind == .folder
                    ? files(in: disk.openFolder(name, in: folder), path + [name]) : [path + [name]]
            }
        }
        return try files(in: disk.openFolder(at: "/\(one)/shared"), [])
    }

    /// Copies one file, which is whole and synced when it gets its name, as engines do that; the name is not synced.
    func carry(_ file: [FileName], from one: String, to other: String) throws {
        var source = try disk.openFolder(at: "/\(one)/shared")
        var target = try disk.openOrMakeFolder(at: "/\(other)/shared", mode: 0o755)
        for name in file.dropLast() {
            source = try disk.openFolder(name, in: source)
            target = try disk.openOrMakeFolder(name, in: target, mode: 0o755)
        }
        guard let name = file.last, try disk.status(of: name, in: target) == nil,
            let bytes = try disk.readAll(name, in: source)
        else { return }
        let temporary: FileName = ".arriving"
        let new = try disk.openFile(temporary, in: target, for: .openOrCreate(mode: 0o644))
        try disk.write(bytes, to: new, at: 0)
        try disk.sync(new)
        try disk.rename(temporary, in: target, to: name, in: target, replacing: false)
    }

    /// Puts a file with one segment into the shared folder of a device.
    func put(_ segment: Segment, into name: String) throws {
        try put(segment, into: URL(filePath: "/\(name)/shared"))
    }

    /// Puts a file with one segment into a shared folder.
    func put(_ segment: Segment, into shared: URL) throws {
        let (header, bytes) = (segment.header, segment.bytes)
        let folder = try disk.openOrMakeFolder(
            at: shared.appending(path: "replicas/\(header.device)").path, mode: 0o755)
        let name = SegmentName(number: header.number, content: .changes, of: bytes).text
        let file = try disk.openFile(
            FileName(validating: name), in: folder, for: .create(mode: 0o644))
        try disk.write(bytes, to: file, at: 0)
    }

    /// Copies all files between the shared folders of all devices, and returns how many were new to one of them.
    @discardableResult
    func exchange(_ devices: [TestDevice]) throws -> Int {
        var count = 0
        for one in devices {
            for other in devices where one !== other { count += try carry(from: one, to: other) }
        }
        return count
    }

    /// Changes the text of a file.
    func edit(_ path: String, _ change: (inout String) -> Void) throws {
        let parts = path.split(separator: "/").map(String.init)
        let folder = try disk.openFolder(
            at: "/" + parts.dropLast().joined(separator: "/"))
        let name = try FileName(validating: parts.last ?? "")
        var text = String(decoding: try disk.readAll(name, in: folder) ?? [], as: UTF8.self)
        change(&text)
        let file = try disk.openFile(name, in: folder, for: .openOrCreate(mode: 0o644))
        try disk.truncate(file, to: 0)
        try disk.write(Array(text.utf8), to: file, at: 0)
    }

    /// Copies a folder.
    func copyFolder(_ source: String, to target: String) throws {
        _ = try copy(
            disk.openFolder(at: source), on: disk,
            disk.openOrMakeFolder(at: target, mode: 0o755), on: disk)
    }

    private func copy(
        _ source: Handle, on one: any FileSystem, _ target: Handle, on other: any FileSystem
    ) throws -> Int {
        var count = 0
        for name in try one.list(source) {
            if try one.status(of: name, in: source)?.kind == .folder {
                count += try copy(
                    one.openFolder(name, in: source), on: one,
                    other.openOrMakeFolder(name, in: target, mode: 0o755), on: other)
            } else if try other.status(of: name, in: target) == nil,
                let bytes = try one.readAll(name, in: source)
            {
                let file = try other.openFile(name, in: target, for: .create(mode: 0o644))
                try other.write(bytes, to: file, at: 0)
                count += 1
            }
        }
        return count
    }
}

/// Devices that share everything at once.
func makeDevices(_ names: String..., options: ReplicaOptions = .init()) throws -> (
    [TestDevice], Carrier
) {
    let disk = MemoryFileSystem()
    let clock = TestClock()
    let devices = try names.enumerated().map { number, name in
        try TestDevice(
            name, on: disk, options: options,
            environment: clock.environment(seed: UInt64(number + 1)))
    }
    return (devices, Carrier(disk: disk))
}

/// Syncs and exchanges until all devices have everything.
func settle(_ devices: [TestDevice], _ carrier: Carrier) throws {
    for _ in 0..<5 {
        for device in devices { try device.sync() }
        if try carrier.exchange(devices) == 0 { return }
    }
}
