import Synchronization

extension MemoryFileSystem {
    package func read(
        _ file: Handle, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int {
        let bytes = try bytes(of: file, "read")
        let part = bytes.dropFirst(offset).prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
    }

    package func write(_ bytes: UnsafeRawBufferPointer, to file: Handle, at offset: Int) throws {
        try state.withLock { state in
            let node = try state.node(of: file, "write")
            let size = try state.bytes(of: node, "write", file.path).count
            let end = offset + bytes.count
            if size < end {
                state.nodes[node]?.bytes += repeatElement(0, count: end - size)
            }
            state.nodes[node]?.bytes.replaceSubrange(offset..<end, with: bytes)
            state.touch(node)
        }
    }

    package func clone(_ from: Handle, to: Handle) throws -> Bool {
        let bytes = try bytes(of: from, "copy")
        try write(bytes, to: to, at: 0)
        return true
    }

    package func copy(_ from: Handle, to: Handle, at offset: Int, count: Int) throws -> Int {
        let part = try bytes(of: from, "copy").dropFirst(offset).prefix(count)
        try write(Array(part), to: to, at: offset)
        return part.count
    }

    private func bytes(of file: Handle, _ operation: String) throws -> [UInt8] {
        try state.withLock { state in
            try state.bytes(of: state.node(of: file, operation), operation, file.path)
        }
    }
}
