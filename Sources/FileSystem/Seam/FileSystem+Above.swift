extension FileSystem {
    /// `folder` and the folders above it, innermost first, as far as they can be opened.
    package func foldersUpwards(from folder: Handle) throws -> [(
        folder: Handle, identity: FileIdentity
    )] {
        var found = [(folder: folder, identity: try status(of: folder).identity)]
        do {
            while true {
                let next = try openParent(of: found[found.count - 1].folder)
                let identity = try status(of: next).identity
                // The parent of the root is the root.
                if identity == found[found.count - 1].identity { return found }
                found.append((next, identity))
            }
        } catch let error as FileSystemError where error.isWriteRefusal {
            // A sandbox does not let a process open all folders above its own.
            return found
        }
    }

    /// Opens the folder to which `names` lead from the root.
    package func openFolder(fromRoot names: [FileName]) throws -> Handle {
        let texts = names.compactMap(\.exactString)
        if texts.count == names.count {
            return try openFolder(at: "/" + texts.joined(separator: "/"))
        }
        return try names.reduce(openFolder(at: "/")) { try openFolder($1, in: $0) }
    }
}
