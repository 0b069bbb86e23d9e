import FileSystem
import Foundation
import Synchronization

/// A file system that tells a test of every call before it is made, and lets it fail.
final class HookedFileSystem: FileSystem {
    struct Call: Sendable, Equatable {
        let name: String
        let path: String
        /// What is renamed to `path`.
        let source: String?
        /// From 0.
        let number: Int
    }

    private let inner: any FileSystem
    private let canClone: Bool
    private let hook: @Sendable (Call) throws -> Void
    private let count = Atomic(0)

    init(
        _ inner: any FileSystem, canClone: Bool = true,
        hook: @escaping @Sendable (Call) throws -> Void
    ) {
        self.inner = inner
        self.canClone = canClone
        self.hook = hook
    }

    /// How many calls there were.
    var callCount: Int { count.load(ordering: .relaxed) }

    private func tell(_ name: String, _ path: String, from source: String? = nil) throws {
        let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
        try hook(Call(name: name, path: path, source: source, number: number))
    }

    func openFolder(at path: String) throws -> Handle {
        try tell("openFolder", path)
        return try inner.openFolder(at: path)
    }
    func resolve(_ path: String) throws -> String {
        try tell("resolve", path)
        return try inner.resolve(path)
    }
    func openFolder(_ name: FileName, in folder: Handle) throws -> Handle {
        try tell("openFolder", folder.path(of: name))
        return try inner.openFolder(name, in: folder)
    }
    func makeFolder(_ name: FileName, in folder: Handle, mode: UInt16) throws {
        try tell("makeFolder", folder.path(of: name))
        try inner.makeFolder(name, in: folder, mode: mode)
    }
    func list(_ folder: Handle) throws -> [FileName] {
        try tell("list", folder.path)
        return try inner.list(folder)
    }
    func openFile(_ name: FileName, in folder: Handle, for access: FileAccess) throws -> Handle {
        try tell("openFile", folder.path(of: name))
        return try inner.openFile(name, in: folder, for: access)
    }
    func read(_ file: Handle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws
        -> Int
    {
        try tell("read", file.path)
        return try inner.read(file, at: offset, into: buffer)
    }
    func write(_ bytes: UnsafeRawBufferPointer, to file: Handle, at offset: Int) throws {
        try tell("write", file.path)
        try inner.write(bytes, to: file, at: offset)
    }
    func clone(_ from: Handle, to: Handle) throws -> Bool {
        try tell("clone", to.path)
        return try canClone && inner.clone(from, to: to)
    }
    func copy(_ from: Handle, to: Handle, at offset: Int, count: Int) throws -> Int {
        try tell("copy", to.path)
        return try inner.copy(from, to: to, at: offset, count: count)
    }
    func sync(_ handle: Handle) throws {
        try tell("sync", handle.path)
        try inner.sync(handle)
    }
    func protect(_ handle: Handle, mode: UInt16, as protection: DataProtection) throws {
        try tell("protect", handle.path)
        try inner.protect(handle, mode: mode, as: protection)
    }
    func tryLock(_ file: Handle) throws -> Bool {
        try tell("tryLock", file.path)
        return try inner.tryLock(file)
    }
    func status(of name: FileName, in folder: Handle) throws -> FileStatus? {
        try tell("status", folder.path(of: name))
        return try inner.status(of: name, in: folder)
    }
    func status(of handle: Handle) throws -> FileStatus {
        try tell("status", handle.path)
        return try inner.status(of: handle)
    }
    func rename(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle,
        replacing: Bool
    ) throws {
        try tell("rename", newFolder.path(of: newName), from: folder.path(of: name))
        try inner.rename(name, in: folder, to: newName, in: newFolder, replacing: replacing)
    }
    func link(_ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle)
        throws
    {
        try tell("link", newFolder.path(of: newName))
        try inner.link(name, in: folder, to: newName, in: newFolder)
    }
    func removeFile(_ name: FileName, in folder: Handle) throws {
        try tell("removeFile", folder.path(of: name))
        try inner.removeFile(name, in: folder)
    }
    func removeFolder(_ name: FileName, in folder: Handle) throws {
        try tell("removeFolder", folder.path(of: name))
        try inner.removeFolder(name, in: folder)
    }
}
