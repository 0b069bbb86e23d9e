import Synchronization

extension MemoryFileSystem {
    package func read(
        _ file: Handle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        let part = try bytes(of: file, at: offset, count: buffer.count, "read")
        buffer.copyBytes(from: part)
        return part.count
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to file: Handle, at offset: Int) throws {
        try state.withLock { state in
            guard offset >= 0 else { throw FileSystemError("write", file.path, .invalidArgument) }
            guard let open = state.handles[file.descriptor], open.isWritable else {
                throw FileSystemError("write", file.path, .badDescriptor)
            }
            if bytes.isEmpty { return }
            let size = try state.bytes(of: open.node, "write", file.path).count
            if size < offset {
                state.nodes[open.node]?.bytes += [UInt8](repeating: 0, count: offset - size)
            }
            let end = min(offset + bytes.count, max(offset, size))
            state.nodes[open.node]?.bytes.replaceSubrange(offset..<end, with: bytes)
            state.touch(open.node)
        }
    }

    package func truncate(_ file: Handle, to size: Int) throws {
        try state.withLock { state in
            guard let open = state.handles[file.descriptor], open.isWritable, size >= 0 else {
                throw FileSystemError("truncate", file.path, .invalidArgument)
            }
            let bytes = try state.bytes(of: open.node, "truncate", file.path).prefix(size)
            let zeros = [UInt8](repeating: 0, count: size - bytes.count)
            state.nodes[open.node]?.bytes = Array(bytes) + zeros
            state.touch(open.node)
        }
    }

    package func startWriteback(_ file: Handle) {}

    package func createFile(
        _ name: FileName, in folder: Handle, mode: UInt16, cloning source: Handle
    ) throws -> (file: Handle, isClone: Bool) {
        let file = try openFile(name, in: folder, for: .create(mode: mode))
        do {
            _ = try copy(source, to: file, at: 0, count: .max)
            return (file, true)
        } catch is FileSystemError {
            // As on a disk, the copy that follows fails for the same reason.
            return (file, false)
        }
    }

    package func copy(_ from: Handle, to: Handle, at offset: Int, count: Int) throws -> Int? {
        let part = try bytes(of: from, at: offset, count: count, "copy")
        _ = try bytes(of: to, at: offset, count: 0, "copy to")
        try write(Array(part), to: to, at: offset)
        return part.count
    }

    /// Up to `count` bytes of an open file from `offset`.
    private func bytes(of file: Handle, at offset: Int, count: Int, _ operation: String) throws
        -> ArraySlice<UInt8>
    {
        try state.withLock { state in
            guard offset >= 0 else {
                throw FileSystemError(operation, file.path, .invalidArgument)
            }
            let node = try state.node(of: file, operation)
            return try state.bytes(of: node, operation, file.path).dropFirst(offset).prefix(count)
        }
    }
}
