package import FileSystem
import Synchronization

extension RecordedDisk {
    package func resolve(_ path: String) throws -> [FileName] { try base.resolve(path) }
    package func list(_ folder: Handle) throws -> [FileName] {
        try base.list(folder).sorted { $0.string < $1.string }
    }
    package func tryLock(_ handle: Handle, shared: Bool) throws -> Bool {
        try base.tryLock(handle, shared: shared)
    }
    package func unlock(_ handle: Handle) throws { try base.unlock(handle) }
    package func status(of handle: Handle) throws -> FileStatus { try base.status(of: handle) }
    package var timesAreExact: Bool { base.timesAreExact }

    package func openFolder(at path: String) throws -> Handle {
        turns.wait()
        return try base.openFolder(at: path)
    }

    package func openFolderIfPresent(_ name: FileName, in folder: Handle) throws -> Handle? {
        turns.wait()
        return try base.openFolderIfPresent(name, in: folder)
    }

    package func openParent(of folder: Handle) throws -> Handle {
        turns.wait()
        return try base.openParent(of: folder)
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

    package func openFileIfPresent(
        _ name: FileName, in folder: Handle, for access: FileAccess
    ) throws -> Handle? {
        turns.wait()
        let existed = try base.status(of: name, in: folder) != nil
        let file = try base.openFileIfPresent(name, in: folder, for: access)
        if let file, !existed { try record(name, in: folder, base.status(of: file)) }
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

    package func createFile(
        _ name: FileName, in folder: Handle, mode: UInt16, cloning source: Handle
    ) throws -> (file: Handle, isClone: Bool) {
        turns.wait()
        let (file, isClone) = try base.createFile(name, in: folder, mode: mode, cloning: source)
        try record(name, in: folder, base.status(of: file))
        let bytes = try base.readAll(file)
        if isClone { record(.unit(.write(inode: try inode(file), offset: 0, bytes: bytes))) }
        return (file, isClone)
    }

    package func copy(_ from: Handle, to: Handle, at offset: Int, count: Int) throws -> Int? {
        turns.wait()
        guard let copied = try base.copy(from, to: to, at: offset, count: count) else { return nil }
        let bytes = Array(try base.readAll(to, from: offset).prefix(copied))
        record(.unit(.write(inode: try inode(to), offset: offset, bytes: bytes)))
        return copied
    }

    package func startWriteback(_ file: Handle) { base.startWriteback(file) }

    package func sync(_ handle: Handle) throws {
        turns.wait()
        try base.sync(handle)
        try flushDrive(holding: handle)
        record(.sync(inode: try inode(handle)))
    }

    /// Fails to sync a file: as on Linux, its pages count as written afterwards, and later syncs skip them.
    func failSync(_ handle: Handle) throws {
        record(.failedSync(inode: try inode(handle)))
    }

    /// As on Apple, nothing is durable before the next flush.
    package func syncToDrive(_ file: Handle) throws {
        turns.wait()
        let inode = try inode(file)
        inDrive.withLock { $0.append(inode) }
    }

    package func flushDrive(holding handle: Handle) throws {
        turns.wait()
        let flushed = inDrive.withLock { inodes in
            defer { inodes = [] }
            return inodes
        }
        for inode in flushed { record(.sync(inode: inode)) }
    }

    package func rename(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle,
        replacing: Bool
    ) throws {
        turns.wait()
        let moved = try base.status(of: name, in: folder)
        let replaced = try base.status(of: newName, in: newFolder)
        try base.rename(name, in: folder, to: newName, in: newFolder, replacing: replacing)
        // rename(2) removes no name if both are names of one file.
        guard let moved, moved.identity != replaced?.identity else { return }
        record(
            .unit(
                .entries([
                    try entry(newName, in: newFolder, moved, isRemoval: false),
                    try entry(name, in: folder, moved, isRemoval: true),
                ])))
    }

    package func exchange(_ name: FileName, with other: FileName, in folder: Handle) throws
        -> Bool
    {
        turns.wait()
        let found = try (base.status(of: name, in: folder), base.status(of: other, in: folder))
        let isDone = try base.exchange(name, with: other, in: folder)
        guard isDone, let first = found.0, let second = found.1 else { return isDone }
        record(
            .unit(
                .entries([
                    try entry(name, in: folder, second, isRemoval: false),
                    try entry(other, in: folder, first, isRemoval: false),
                ])))
        return true
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
