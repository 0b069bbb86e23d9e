import Synchronization

extension MemoryFileSystem {
    package func makeFolder(_ name: FileName, in folder: Handle, mode: UInt16) throws {
        try state.withLock { state in
            guard try state.holder(of: name, in: folder, "make folder") == nil else {
                throw FileSystemError("make folder", folder.path(of: name), .fileExists)
            }
            _ = try state.add(isFolder: true, mode: mode, as: name, in: folder, "make folder")
        }
    }

    package func list(_ folder: Handle) throws -> [FileName] {
        try state.withLock { state in Array(try state.entries(of: folder, "list").keys) }
    }

    package func rename(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle,
        replacing: Bool
    ) throws {
        let operation = "move \(folder.path(of: name)) to"
        let newPath = newFolder.path(of: newName)
        try state.withLock { state in
            _ = try state.entries(of: newFolder, operation)
            let node = try state.lookUp(name, in: folder, operation)
            let replaced = try state.holder(of: newName, in: newFolder, operation)
            guard replacing || replaced == nil else {
                throw FileSystemError(operation, newPath, .fileExists)
            }
            guard try !state.holds(node, state.node(of: newFolder, operation)) else {
                throw FileSystemError(operation, newPath, .invalidArgument)
            }
            if replaced == node { return }
            if let replaced {
                guard try !state.holds(replaced, state.node(of: folder, operation)) else {
                    throw FileSystemError(operation, newPath, .directoryNotEmpty)
                }
                try state.checkReplacement(of: replaced, by: node, operation, newPath)
            }
            try state.setEntry(newName, in: newFolder, to: node, operation)
            try state.setEntry(name, in: folder, to: nil, operation)
            state.touch(node, bytesChanged: false)
            if let replaced { state.unlink(replaced) }
        }
    }

    package func exchange(_ name: FileName, with other: FileName, in folder: Handle) throws
        -> Bool
    {
        let operation = "exchange \(folder.path(of: name)) with"
        try state.withLock { state in
            let (first, second) = (
                try state.lookUp(name, in: folder, operation),
                try state.lookUp(other, in: folder, operation)
            )
            try state.setEntry(name, in: folder, to: second, operation)
            try state.setEntry(other, in: folder, to: first, operation)
            for node in [first, second] { state.touch(node, bytesChanged: false) }
        }
        return true
    }

    package func link(
        _ name: FileName, in folder: Handle, to newName: FileName, in newFolder: Handle
    ) throws {
        let operation = "link \(folder.path(of: name)) to"
        try state.withLock { state in
            let node = try state.lookUp(name, in: folder, operation)
            let newPath = newFolder.path(of: newName)
            guard try state.holder(of: newName, in: newFolder, operation) == nil else {
                throw FileSystemError(operation, newPath, .fileExists)
            }
            guard state.nodes[node]?.isFolder == false else {
                throw FileSystemError(operation, newPath, .notPermitted)
            }
            try state.setEntry(newName, in: newFolder, to: node, operation)
            state.nodes[node]?.linkCount += 1
            state.touch(node, bytesChanged: false)
        }
    }

    package func resolve(_ path: String) throws -> [FileName] {
        try openFolder(at: path).path.split(separator: "/").compactMap { FileName($0) }
    }

    package func removeFile(_ name: FileName, in folder: Handle) throws {
        try state.withLock { state in
            let node = try state.lookUp(name, in: folder, "remove")
            _ = try state.bytes(of: node, "remove", folder.path(of: name))
            try state.setEntry(name, in: folder, to: nil, "remove")
            state.unlink(node)
        }
    }

    package func removeFolder(_ name: FileName, in folder: Handle) throws {
        let path = folder.path(of: name)
        try state.withLock { state in
            let node = try state.lookUp(name, in: folder, "remove")
            guard try state.entries(of: node, "remove", path).isEmpty else {
                throw FileSystemError("remove", path, .directoryNotEmpty)
            }
            try state.setEntry(name, in: folder, to: nil, "remove")
            state.unlink(node)
        }
    }
}

extension MemoryFileSystem.State {
    /// Checks that a file replaces a file, or a folder an empty folder, as rename(2) does.
    fileprivate func checkReplacement(
        of replaced: UInt64, by node: UInt64, _ operation: String, _ path: String
    ) throws {
        guard let node = nodes[node], let replaced = nodes[replaced] else { return }
        if node.isFolder != replaced.isFolder {
            throw FileSystemError(operation, path, node.isFolder ? .notFolder : .isFolder)
        }
        if !replaced.entries.isEmpty {
            throw FileSystemError(operation, path, .directoryNotEmpty)
        }
    }

    /// Whether `folder` is `node` or is inside it at any depth.
    fileprivate func holds(_ node: UInt64, _ folder: UInt64) -> Bool {
        guard node != folder else { return true }
        return nodes[node]?.entries.values.contains { holds($0, folder) } ?? false
    }
}
