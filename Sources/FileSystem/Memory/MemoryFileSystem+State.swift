extension MemoryFileSystem.State {
    /// A time later than all earlier results: that of the clock, or a little later.
    mutating func tick() -> FileTime {
        lastTick = max(lastTick.next, clock())
        return lastTick
    }

    func node(of handle: Handle, _ operation: String) throws -> UInt64 {
        guard let open = handles[handle.descriptor] else {
            throw FileSystemError(operation, handle.path, .badDescriptor)
        }
        return open.node
    }

    /// A new descriptor for a node.
    ///
    /// The caller must have found the node under the same lock, else it could be removed in between.
    mutating func open(_ node: UInt64, isWritable: Bool) -> Int32 {
        lastDescriptor += 1
        handles[lastDescriptor] = MemoryFileSystem.OpenFile(node: node, isWritable: isWritable)
        return lastDescriptor
    }

    func entries(of folder: Handle, _ operation: String) throws -> [FileName: UInt64] {
        try entries(of: node(of: folder, operation), operation, folder.path)
    }

    func entries(of node: UInt64, _ operation: String, _ path: String) throws
        -> [FileName: UInt64]
    {
        guard let found = nodes[node], found.isFolder else {
            throw FileSystemError(operation, path, .notFolder)
        }
        return found.entries
    }

    /// The folder that has `node` as an entry; nil if it was removed.
    func parent(of node: UInt64) -> UInt64? {
        if let last = lastParents[node], nodes[last]?.entries.values.contains(node) == true {
            return last
        }
        return nodes.first { $0.value.entries.values.contains(node) }?.key
    }

    func lookUp(_ name: FileName, in folder: Handle, _ operation: String) throws -> UInt64 {
        guard let node = try entries(of: folder, operation)[name] else {
            throw FileSystemError(operation, folder.path(of: name), .noSuchFile)
        }
        return node
    }

    /// The node that has the name `name` now, nil if the name is free for another node.
    ///
    /// A removed folder can stay open, but no name can be added to it.
    func holder(of name: FileName, in folder: Handle, _ operation: String) throws -> UInt64? {
        let entries = try entries(of: folder, operation)
        guard try nodes[node(of: folder, operation)]?.linkCount != 0 else {
            throw FileSystemError(operation, folder.path(of: name), .noSuchFile)
        }
        return entries[name]
    }

    func bytes(of node: UInt64, _ operation: String, _ path: String) throws -> [UInt8] {
        guard let found = nodes[node], !found.isFolder else {
            throw FileSystemError(operation, path, .isFolder)
        }
        return found.bytes
    }

    func status(of node: UInt64, device: UInt64) -> FileStatus? {
        guard let found = nodes[node] else { return nil }
        return FileStatus(
            kind: found.isFolder ? .folder : .file,
            identity: FileIdentity(device: device, inode: node),
            size: found.isFolder ? found.entries.count : found.bytes.count,
            linkCount: found.linkCount, mode: found.mode, modified: found.modified,
            changed: found.changed, created: found.created)
    }

    mutating func setEntry(
        _ name: FileName, in folder: Handle, to node: UInt64?, _ operation: String
    ) throws {
        let parent = try self.node(of: folder, operation)
        nodes[parent]?.entries[name] = node
        if let node { lastParents[node] = parent }
        touch(parent)
    }

    /// Sets the dates of a node after a change; `bytesChanged` is false if only attributes changed.
    mutating func touch(_ node: UInt64, bytesChanged: Bool = true) {
        let now = tick()
        nodes[node]?.changed = now
        if bytesChanged { nodes[node]?.modified = now }
    }

    mutating func add(
        isFolder: Bool, mode: UInt16, as name: FileName, in folder: Handle, _ operation: String
    ) throws -> UInt64 {
        lastInode += 1
        try setEntry(name, in: folder, to: lastInode, operation)
        nodes[lastInode] = MemoryFileSystem.Node(
            isFolder: isFolder, mode: mode, modified: lastTick, changed: lastTick,
            created: lastTick)
        return lastInode
    }

    mutating func unlink(_ node: UInt64) {
        nodes[node]?.linkCount -= 1
        touch(node, bytesChanged: false)
        dropIfUnused(node)
    }

    /// Releases the lock that a handle has of a node.
    mutating func unlock(_ node: UInt64, _ descriptor: Int32) {
        locks[node]?.holders.remove(descriptor)
        if locks[node]?.holders.isEmpty == true { locks[node] = nil }
    }

    mutating func dropIfUnused(_ node: UInt64) {
        guard nodes[node]?.linkCount == 0, !handles.values.contains(where: { $0.node == node })
        else { return }
        nodes[node] = nil
        lastParents[node] = nil
        locks[node] = nil
    }
}
