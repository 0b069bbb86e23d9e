package import FileSystem
import Foundation
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

    /// A name that comes or goes.
    package struct Entry: Hashable, Sendable {
        var folder: UInt64
        var name: FileName
        /// What the name refers to from now on, or did until now where it goes.
        var inode: UInt64
        var isFolder: Bool
        var isRemoval = false
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
    private let turns = Turns()

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

    private func record(
        _ name: FileName, in folder: Handle, _ status: FileStatus?, isRemoval: Bool = false
    ) throws {
        guard let status else { return }
        let entry = try entry(name, in: folder, status, isRemoval: isRemoval)
        record(.unit(.entries([entry])))
    }

    private func entry(
        _ name: FileName, in folder: Handle, _ status: FileStatus, isRemoval: Bool
    ) throws -> Entry {
        Entry(
            folder: try inode(folder), name: name, inode: status.identity.inode,
            isFolder: status.kind == .folder, isRemoval: isRemoval)
    }
}

extension RecordedDisk {
    /// Lets no other thread open folders or change anything until ``letOthersGoOn()``.
    ///
    /// What goes on behind a call then comes after it, in every run.
    package func holdOthers() { turns.hold() }

    package func letOthersGoOn() { turns.letGo() }

    /// Whether threads wait for their turn.
    private final class Turns: Sendable {
        private let condition = NSCondition()
        private let holder = Mutex<ObjectIdentifier?>(nil)

        func hold() { holder.withLock { $0 = ObjectIdentifier(Thread.current) } }

        func letGo() {
            condition.withLock {
                holder.withLock { $0 = nil }
                condition.broadcast()
            }
        }

        func wait() {
            let mine = ObjectIdentifier(Thread.current)
            let isFree = { self.holder.withLock { $0 == nil || $0 == mine } }
            if isFree() { return }
            condition.withLock { while !isFree() { condition.wait() } }
        }
    }
}

extension RecordedDisk {
    package func resolve(_ path: String) throws -> String { try base.resolve(path) }
    package func list(_ folder: Handle) throws -> [FileName] {
        try base.list(folder).sorted { $0.string < $1.string }
    }
    package func tryLock(_ file: Handle) throws -> Bool { try base.tryLock(file) }
    package func status(of handle: Handle) throws -> FileStatus { try base.status(of: handle) }

    package func openFolder(at path: String) throws -> Handle {
        turns.wait()
        return try base.openFolder(at: path)
    }

    package func openFolder(_ name: FileName, in folder: Handle) throws -> Handle {
        turns.wait()
        return try base.openFolder(name, in: folder)
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
        turns.wait()
        try base.makeFolder(name, in: folder, mode: mode)
        try record(name, in: folder, base.status(of: name, in: folder))
    }

    package func openFile(_ name: FileName, in folder: Handle, for access: FileAccess) throws
        -> Handle
    {
        turns.wait()
        let existed = try base.status(of: name, in: folder) != nil
        let file = try base.openFile(name, in: folder, for: access)
        if !existed { try record(name, in: folder, base.status(of: file)) }
        return file
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to file: Handle, at offset: Int) throws {
        turns.wait()
        try base.write(bytes, to: file, at: offset)
        record(.unit(.write(inode: try inode(file), offset: offset, bytes: Array(bytes))))
    }

    package func truncate(_ file: Handle, to size: Int) throws {
        turns.wait()
        try base.truncate(file, to: size)
        record(.unit(.truncation(inode: try inode(file), size: size)))
    }

    package func clone(_ from: Handle, to: Handle) throws -> Bool {
        turns.wait()
        guard try base.clone(from, to: to) else { return false }
        let bytes = try base.readAll(to)
        record(.unit(.write(inode: try inode(to), offset: 0, bytes: bytes)))
        return true
    }

    package func copy(_ from: Handle, to: Handle, at offset: Int, count: Int) throws -> Int {
        turns.wait()
        let copied = try base.copy(from, to: to, at: offset, count: count)
        let bytes = Array(try base.readAll(to, from: offset).prefix(copied))
        record(.unit(.write(inode: try inode(to), offset: offset, bytes: bytes)))
        return copied
    }

    package func startWriteback(_ file: Handle) { base.startWriteback(file) }

    package func sync(_ handle: Handle) throws {
        turns.wait()
        try base.sync(handle)
        record(.sync(inode: try inode(handle)))
    }

    package func rename(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle,
        replacing: Bool
    ) throws {
        turns.wait()
        let moved = try base.status(of: name, in: folder)
        let replaced = try base.status(of: newName, in: newFolder)
        try base.rename(name, in: folder, to: newName, in: newFolder, replacing: replacing)
        // Of two names of one file, rename(2) removes neither.
        guard let moved, moved.identity != replaced?.identity else { return }
        record(
            .unit(
                .entries([
                    try entry(newName, in: newFolder, moved, isRemoval: false),
                    try entry(name, in: folder, moved, isRemoval: true),
                ])))
    }

    package func link(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle
    ) throws {
        turns.wait()
        try base.link(name, in: folder, to: newName, in: newFolder)
        try record(newName, in: newFolder, base.status(of: newName, in: newFolder))
    }

    package func removeFile(_ name: FileName, in folder: Handle) throws {
        turns.wait()
        let removed = try base.status(of: name, in: folder)
        try base.removeFile(name, in: folder)
        try record(name, in: folder, removed, isRemoval: true)
    }

    package func removeFolder(_ name: FileName, in folder: Handle) throws {
        turns.wait()
        let removed = try base.status(of: name, in: folder)
        try base.removeFolder(name, in: folder)
        try record(name, in: folder, removed, isRemoval: true)
    }
}
