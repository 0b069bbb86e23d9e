package import FileSystem
import Synchronization

/// A file system as one process sees it: the process can be killed before any call, and any call
/// can fail.
///
/// Several of these on one file system act as several processes: each has another device number, so
/// that no two share a live collection.
package final class ProcessFileSystem: FileSystem {
    /// The outcome of a call.
    package enum Fate: Sendable {
        /// It works.
        case works
        /// If it is a sync or takes a lock, it does nothing and seems to work; an exchange is one that the volume does
        /// not know.
        case skipped
        /// It and all later calls do nothing: the process was killed before it.
        case killed
        /// It does nothing and fails with an error number.
        case fails(Errno)
        /// It fails with an error number; a write writes the first half of its bytes, and a sync loses what was written.
        case failsHalfway(Errno)
    }

    /// The error of each call of a killed process.
    package struct Killed: Error {}

    private struct State {
        var calls = 0
        var isDead = false
        var log: [String] = []
        var protections: [String: DataProtection] = [:]
    }

    let base: any FileSystem
    private let device: UInt64
    private let fateOfCall: @Sendable (Int, String) -> Fate
    private let state = Mutex(State())
    let syncs = Mutex(Syncs())

    /// The last device number, which ``own(_:)`` puts above the low 32 bits that real devices and
    /// file systems in memory use.
    private static let devices = Atomic<UInt64>(0)

    package convenience init(
        _ base: any FileSystem, fate: @escaping @Sendable (Int) -> Fate = { _ in .works }
    ) {
        self.init(base) { number, _ in fate(number) }
    }

    /// Creates a process; `fateOfCall` gets the number of each call and its line in the log.
    package init(
        _ base: any FileSystem, fateOfCall: @escaping @Sendable (Int, String) -> Fate
    ) {
        self.base = base
        self.fateOfCall = fateOfCall
        device = Self.devices.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// The number of calls so far.
    package var calls: Int { state.withLock { $0.calls } }
    /// One line for each call so far.
    package var log: [String] { state.withLock { $0.log } }
    /// The data protection that files and folders were given, by the path at which they were opened.
    package var protections: [String: DataProtection] { state.withLock { $0.protections } }
    /// Whether the process was killed.
    package var isDead: Bool { state.withLock { $0.isDead } }

    /// Kills the process: no later call does anything.
    package func kill() { state.withLock { $0.isDead = true } }

    func call<Result>(
        _ name: String, _ path: @autoclosure () -> String, detail: @autoclosure () -> String = "",
        _ body: () throws -> Result, half: () throws -> Void = {}, ifSkipped result: Result? = nil
    ) throws -> Result {
        let path = path()
        let line = "\(name) \(path)\(detail())"
        let number: Int? = state.withLock { state in
            if state.isDead { return nil }
            defer { state.calls += 1 }
            state.log.append(line)
            return state.calls
        }
        // Without the lock, because the closure can use the file system.
        let fate = number.map { fateOfCall($0, line) } ?? .killed
        if case .killed = fate { kill() }
        switch fate {
        case .works: return try body()
        case .skipped: return try result ?? body()
        case .killed: throw Killed()
        case .fails(let code): throw FileSystemError(name, path, code)
        case .failsHalfway(let code):
            try half()
            throw FileSystemError(name, path, code)
        }
    }

    private func own(_ status: FileStatus) -> FileStatus {
        var status = status
        status.identity.device += device << 32
        return status
    }
}

extension ProcessFileSystem {
    package var timesAreExact: Bool { base.timesAreExact }

    package func openFolder(at path: String) throws -> Handle {
        try call("open", path) { try base.openFolder(at: path) }
    }

    package func openFolderItself(at path: String) throws -> Handle {
        try call("open", path) { try base.openFolderItself(at: path) }
    }

    package func resolve(_ path: String) throws -> [FileName] {
        try call("resolve", path) { try base.resolve(path) }
    }

    package func openFolderIfPresent(_ name: FileName, in folder: Handle) throws -> Handle? {
        try call("open", folder.path(of: name)) { try base.openFolderIfPresent(name, in: folder) }
    }

    package func openParent(of folder: Handle) throws -> Handle {
        try call("open", "\(folder.path)/..") { try base.openParent(of: folder) }
    }

    package func makeFolder(_ name: FileName, in folder: Handle, mode: UInt16) throws {
        try call("make", folder.path(of: name)) {
            try base.makeFolder(name, in: folder, mode: mode)
        }
    }

    package func list(_ folder: Handle) throws -> [FileName] {
        try call("list", folder.path) { try base.list(folder) }
    }

    package func openFileIfPresent(
        _ name: FileName, in folder: Handle, for access: FileAccess
    ) throws -> Handle? {
        let makes = makes(name, in: folder, access)
        let isForReading = makes || access == .read
        return try call(
            makes ? "create" : "open", folder.path(of: name),
            detail: isForReading ? "" : Self.toWrite
        ) {
            try base.openFileIfPresent(name, in: folder, for: access)
        }
    }

    package func openFile(at path: String) throws -> Handle {
        try call("open", path) { try base.openFile(at: path) }
    }

    /// Whether opening the file would make it.
    private func makes(_ name: FileName, in folder: Handle, _ access: FileAccess) -> Bool {
        switch access {
        case .create: true
        case .openOrCreate: (try? base.status(of: name, in: folder)) == .some(nil)
        default: false
        }
    }

    package func read(
        _ file: Handle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        try call("read", file.path) { try base.read(file, at: offset, into: buffer) }
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to file: Handle, at offset: Int) throws {
        try call("write", file.path, detail: Self.step(bytes)) {
            try base.write(bytes, to: file, at: offset)
        } half: {
            let half = UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2))
            try base.write(half, to: file, at: offset)
        }
    }

    /// The step of a write to several collections that `bytes` are, with a space before it; empty if they are none.
    private static func step(_ bytes: UnsafeRawBufferPointer) -> String {
        let signs: [UInt8: String] = [
            UInt8(ascii: "?"): " prepared", UInt8(ascii: "*"): " committed",
            UInt8(ascii: "."): " ended",
        ]
        let isNew = bytes.starts(with: "directory-journal ".utf8)
        let lines = bytes.prefix(400).split(separator: UInt8(ascii: "\n"), maxSplits: 3)
        guard let body = lines.dropFirst(isNew ? 2 : 1).first, let sign = body.first,
            body.dropFirst().first == UInt8(ascii: " "), !body.dropFirst(2).isEmpty,
            body.dropFirst(2).prefix(32).allSatisfy({
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            })
        else { return "" }
        return signs[sign] ?? ""
    }

    package func truncate(_ file: Handle, to size: Int) throws {
        try call("truncate", file.path) { try base.truncate(file, to: size) }
    }

    package func createFile(
        _ name: FileName, in folder: Handle, mode: UInt16, cloning source: Handle
    ) throws -> (file: Handle, isClone: Bool) {
        try call("clone", "\(source.path) to \(folder.path(of: name))") {
            try base.createFile(name, in: folder, mode: mode, cloning: source)
        }
    }

    package func copy(_ from: Handle, to: Handle, at offset: Int, count: Int) throws -> Int? {
        try call("copy", from.path) {
            try base.copy(from, to: to, at: offset, count: count)
        }
    }

    package func startWriteback(_ file: Handle) { base.startWriteback(file) }

    package func protect(_ handle: Handle, mode: UInt16, as protection: DataProtection) throws {
        try call("protect", handle.path) { try base.protect(handle, mode: mode, as: protection) }
        state.withLock { $0.protections[handle.path] = protection }
    }

    package func tryLock(_ handle: Handle, shared: Bool) throws -> Bool {
        let name = shared ? "lock shared" : "lock"
        return try call(
            name, handle.path, { try base.tryLock(handle, shared: shared) }, ifSkipped: true)
    }

    package func unlock(_ handle: Handle) throws {
        try call("unlock", handle.path) { try base.unlock(handle) }
    }

    package func status(of name: FileName, in folder: Handle) throws -> FileStatus? {
        try call("stat", folder.path(of: name)) {
            try base.status(of: name, in: folder).map(own)
        }
    }

    package func statusOfFolder(at path: String, followingLink: Bool) throws -> FileStatus? {
        try call("stat", path) {
            try base.statusOfFolder(at: path, followingLink: followingLink).map(own)
        }
    }

    package func status(of handle: Handle) throws -> FileStatus {
        try call("stat", handle.path) { own(try base.status(of: handle)) }
    }

    package func rename(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle,
        replacing: Bool
    ) throws {
        try call("rename", "\(folder.path(of: name)) to \(newFolder.path(of: newName))") {
            try base.rename(
                name, in: folder, to: newName, in: newFolder, replacing: replacing)
        }
    }

    package func exchange(_ name: FileName, with other: FileName, in folder: Handle) throws
        -> Bool
    {
        try call(
            "exchange", "\(folder.path(of: name)) with \(folder.path(of: other))",
            { try base.exchange(name, with: other, in: folder) }, ifSkipped: false)
    }

    package func link(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle
    ) throws {
        try call("link", folder.path(of: name)) {
            try base.link(name, in: folder, to: newName, in: newFolder)
        }
    }

    package func removeFile(_ name: FileName, in folder: Handle) throws {
        try call("remove", folder.path(of: name)) { try base.removeFile(name, in: folder) }
    }

    package func removeFolder(_ name: FileName, in folder: Handle) throws {
        try call("remove", folder.path(of: name)) { try base.removeFolder(name, in: folder) }
    }

    package func watch(
        _ folder: Handle, for names: Set<FileName>,
        _ changed: @escaping @Sendable (FolderWatch.Event) -> Void
    ) throws -> FolderWatch? {
        try call("watch", folder.path) { try base.watch(folder, for: names, changed) }
    }
}
