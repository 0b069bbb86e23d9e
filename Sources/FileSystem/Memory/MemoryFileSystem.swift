import Foundation
import Synchronization

/// A file system in memory, for previews and for stores that need no disk.
///
/// Names, links, handles of removed files and locks work as in POSIX. The files last as long as the
/// object, so `sync` does nothing.
package final class MemoryFileSystem: FileSystem {
    struct State {
        let clock: @Sendable () -> FileTime
        var nodes: [UInt64: Node] = [:]
        /// The folder in which a node got its last name.
        var lastParents: [UInt64: UInt64] = [:]
        /// The open files, by descriptor.
        var handles: [Int32: OpenFile] = [:]
        /// The locks of nodes.
        var locks: [UInt64: Lock] = [:]
        var lastInode: UInt64 = 1
        var lastDescriptor: Int32 = 0
        var lastTick = FileTime.epoch
    }

    struct Lock {
        var isShared: Bool
        /// The descriptors that have the lock.
        var holders: Set<Int32>
    }

    struct OpenFile {
        let node: UInt64
        let isWritable: Bool
    }

    struct Node {
        let isFolder: Bool
        /// The nodes in a folder, by name.
        var entries: [FileName: UInt64] = [:]
        /// The contents of a file.
        var bytes: [UInt8] = []
        var mode: UInt16
        var linkCount = 1
        var modified: FileTime
        var changed: FileTime
        var created: FileTime
    }

    static let root: UInt64 = 1
    let state: Mutex<State>
    private let device: UInt64

    /// Creates a file system with an empty root folder, whose files get the times of `clock`.
    package init(clock: @escaping @Sendable () -> FileTime = { FileTime(Date()) }) {
        device = Self.devices.wrappingAdd(1, ordering: .relaxed).newValue
        var state = State(clock: clock)
        state.nodes[Self.root] = Node(
            isFolder: true, mode: 0o700, modified: .epoch, changed: .epoch, created: .epoch)
        self.state = Mutex(state)
    }

    package var timesAreExact: Bool { true }

    /// The number of the last device, in the upper half of 64 bits, which no kernel uses.
    private static let devices = Atomic<UInt64>(1 << 63)

    package func openFolder(at path: String) throws -> Handle {
        guard path.hasPrefix("/") else {
            throw FileSystemError("open folder", path, .noSuchFile)
        }
        let top = state.withLock { state in state.open(Self.root, isWritable: false) }
        var folders = [handle(top, path: "/")]
        for part in path.split(separator: "/") where part != "." {
            if part == ".." {
                folders.removeLast(folders.count > 1 ? 1 : 0)
            } else if let name = FileName(part) {
                folders.append(try openFolder(name, in: folders[folders.count - 1]))
            } else {
                throw FileSystemError("open folder", path, .invalidArgument)
            }
        }
        return folders[folders.count - 1]
    }

    package func openFolderIfPresent(_ name: FileName, in folder: Handle) throws -> Handle? {
        let path = folder.path(of: name)
        let descriptor: Int32? = try state.withLock { state in
            guard let node = try state.entries(of: folder, "open folder")[name] else { return nil }
            _ = try state.entries(of: node, "open folder", path)
            return state.open(node, isWritable: false)
        }
        return descriptor.map { handle($0, path: path) }
    }

    package func openParent(of folder: Handle) throws -> Handle {
        let path = folder.path.split(separator: "/").dropLast().joined(separator: "/")
        let descriptor = try state.withLock { state in
            let node = try state.node(of: folder, "open folder")
            let parent = node == Self.root ? node : state.parent(of: node)
            guard let parent else {
                throw FileSystemError("open folder", "/\(path)", .noSuchFile)
            }
            return state.open(parent, isWritable: false)
        }
        return handle(descriptor, path: "/\(path)")
    }

    package func openFileIfPresent(
        _ name: FileName, in folder: Handle, for access: FileAccess
    ) throws -> Handle? {
        let path = folder.path(of: name)
        let descriptor: Int32? = try state.withLock { state in
            // A folder that was removed can still be read.
            let existing =
                switch access {
                case .read, .update: try state.entries(of: folder, "open")[name]
                case .create, .openOrCreate: try state.holder(of: name, in: folder, "open")
                }
            let node: UInt64
            switch (access, existing) {
            case (.create, .some): throw FileSystemError("open", path, .fileExists)
            case (.create(let mode), nil), (.openOrCreate(let mode), nil):
                node = try state.add(isFolder: false, mode: mode, as: name, in: folder, "open")
            case (_, let existing?):
                _ = try state.bytes(of: existing, "open", path)
                node = existing
            case (.read, nil), (.update, nil): return nil
            }
            return state.open(node, isWritable: access != .read)
        }
        return descriptor.map { handle($0, path: path) }
    }

    package func tryLock(_ handle: Handle, shared: Bool) throws -> Bool {
        try state.withLock { state in
            let node = try state.node(of: handle, "lock")
            var holders = state.locks[node]?.holders ?? []
            let isFree = holders.isEmpty || holders == [handle.descriptor]
            guard isFree || shared && state.locks[node]?.isShared == true else { return false }
            holders.insert(handle.descriptor)
            state.locks[node] = Lock(isShared: shared, holders: holders)
            return true
        }
    }

    package func unlock(_ handle: Handle) throws {
        try state.withLock { state in
            state.unlock(try state.node(of: handle, "unlock"), handle.descriptor)
        }
    }

    package func sync(_ handle: Handle) throws {
        _ = try state.withLock { state in try state.node(of: handle, "sync") }
    }

    package func protect(_ handle: Handle, mode: UInt16, as protection: DataProtection) throws {
        try state.withLock { state in
            let node = try state.node(of: handle, "set the mode of")
            state.nodes[node]?.mode = mode
            state.touch(node, bytesChanged: false)
        }
    }

    private func handle(_ descriptor: Int32, path: String) -> Handle {
        Handle(descriptor: descriptor, path: path) { [weak self] descriptor, _ in
            self?.close(descriptor)
        }
    }

    private func close(_ descriptor: Int32) {
        state.withLock { state in
            guard let node = state.handles.removeValue(forKey: descriptor)?.node else { return }
            state.unlock(node, descriptor)
            state.dropIfUnused(node)
        }
    }

    package func status(of name: FileName, in folder: Handle) throws -> FileStatus? {
        try state.withLock { state in
            guard let node = try state.entries(of: folder, "look at")[name] else { return nil }
            return state.status(of: node, device: device)
        }
    }

    package func status(of handle: Handle) throws -> FileStatus {
        let found = try state.withLock { state in
            state.status(of: try state.node(of: handle, "look at"), device: device)
        }
        guard let found else { throw FileSystemError("look at", handle.path, .badDescriptor) }
        return found
    }
}
