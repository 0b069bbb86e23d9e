package import FileSystem
import Synchronization

/// A disk that remembers in which order it was written to and synced, so that every state that a
/// power loss could leave can be built afterwards.
package final class RecordedDisk: FileSystem {
    /// Something that becomes durable as a whole, or not at all unless torn.
    package enum Unit: Hashable, Sendable {
        /// Names in folders that change together: a new file, a rename, a removal.
        case entries([Entry])
        /// Bytes of a file.
        case write(inode: UInt64, offset: Int, bytes: [UInt8])
        /// A file cut off.
        case truncation(inode: UInt64, size: Int)
    }

    package struct Entry: Hashable, Sendable {
        var folder: UInt64
        var name: FileName
        /// What the name refers to from now on; nil where it goes.
        var target: Target?
    }

    package struct Target: Hashable, Sendable {
        var inode: UInt64
        var isFolder: Bool
    }

    package enum Event: Sendable {
        case unit(Unit)
        /// All earlier units of this file or folder are durable.
        case sync(inode: UInt64)
        /// The caller was told that what it asked for so far is done.
        case acknowledged
    }

    /// What the disk held, durably, when the recording began.
    package let start: MemoryFileSystem.Image
    private let base: MemoryFileSystem
    private let log = Mutex<[Event]>([])

    package init(_ image: MemoryFileSystem.Image) {
        start = image
        base = MemoryFileSystem(image)
    }

    package var events: [Event] { log.withLock { $0 } }

    package func acknowledge() { record(.acknowledged) }

    private func record(_ event: Event) { log.withLock { $0.append(event) } }

    private func inode(_ handle: Handle) throws -> UInt64 {
        try base.status(of: handle).identity.inode
    }

    private func entry(_ name: FileName, in folder: Handle, _ status: FileStatus?) throws -> Entry {
        Entry(
            folder: try inode(folder), name: name,
            target: status.map { Target(inode: $0.identity.inode, isFolder: $0.kind == .folder) })
    }
}

extension RecordedDisk {
    package func openFolder(at path: String) throws -> Handle { try base.openFolder(at: path) }
    package func resolve(_ path: String) throws -> String { try base.resolve(path) }
    package func list(_ folder: Handle) throws -> [FileName] { try base.list(folder) }
    package func tryLock(_ file: Handle) throws -> Bool { try base.tryLock(file) }
    package func status(of handle: Handle) throws -> FileStatus { try base.status(of: handle) }

    package func openFolder(_ name: FileName, in folder: Handle) throws -> Handle {
        try base.openFolder(name, in: folder)
    }

    package func status(of name: FileName, in folder: Handle) throws -> FileStatus? {
        try base.status(of: name, in: folder)
    }

    package func protect(_ handle: Handle, mode: UInt16, as protection: DataProtection) throws {
        try base.protect(handle, mode: mode, as: protection)
    }

    package func read(
        _ file: Handle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        try base.read(file, at: offset, into: buffer)
    }

    package func makeFolder(_ name: FileName, in folder: Handle, mode: UInt16) throws {
        try base.makeFolder(name, in: folder, mode: mode)
        let made = try base.status(of: name, in: folder)
        record(.unit(.entries([try entry(name, in: folder, made)])))
    }

    package func openFile(_ name: FileName, in folder: Handle, for access: FileAccess) throws
        -> Handle
    {
        let existed = try base.status(of: name, in: folder) != nil
        let file = try base.openFile(name, in: folder, for: access)
        if !existed {
            let made = try base.status(of: file)
            record(.unit(.entries([try entry(name, in: folder, made)])))
        }
        return file
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to file: Handle, at offset: Int) throws {
        try base.write(bytes, to: file, at: offset)
        record(.unit(.write(inode: try inode(file), offset: offset, bytes: Array(bytes))))
    }

    package func truncate(_ file: Handle, to size: Int) throws {
        try base.truncate(file, to: size)
        record(.unit(.truncation(inode: try inode(file), size: size)))
    }

    package func clone(_ from: Handle, to: Handle) throws -> Bool {
        try write(base.readAll(from), to: to, at: 0)
        return true
    }

    package func copy(_ from: Handle, to: Handle, at offset: Int, count: Int) throws -> Int {
        let part = Array(try base.readAll(from).dropFirst(offset).prefix(count))
        try write(part, to: to, at: offset)
        return part.count
    }

    package func startWriteback(_ file: Handle) { base.startWriteback(file) }

    package func sync(_ handle: Handle) throws {
        try base.sync(handle)
        record(.sync(inode: try inode(handle)))
    }

    package func rename(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle,
        replacing: Bool
    ) throws {
        let moved = try base.status(of: name, in: folder)
        try base.rename(name, in: folder, to: newName, in: newFolder, replacing: replacing)
        let entries = [
            try entry(newName, in: newFolder, moved), try entry(name, in: folder, nil),
        ]
        record(.unit(.entries(entries)))
    }

    package func link(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle
    ) throws {
        try base.link(name, in: folder, to: newName, in: newFolder)
        let linked = try base.status(of: newName, in: newFolder)
        record(.unit(.entries([try entry(newName, in: newFolder, linked)])))
    }

    package func removeFile(_ name: FileName, in folder: Handle) throws {
        try base.removeFile(name, in: folder)
        record(.unit(.entries([try entry(name, in: folder, nil)])))
    }

    package func removeFolder(_ name: FileName, in folder: Handle) throws {
        try base.removeFolder(name, in: folder)
        record(.unit(.entries([try entry(name, in: folder, nil)])))
    }
}
