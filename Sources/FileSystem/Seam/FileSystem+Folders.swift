package import Foundation

extension FileSystem {
    /// Opens the folder that holds the file or folder at `url`; links in its path are followed.
    package func openParent(of url: URL) throws -> Handle {
        try openFolder(at: url.deletingLastPathComponent().path(percentEncoded: false))
    }

    /// Opens the folder `name`, and makes it first if it does not exist.
    ///
    /// A new folder gets `mode`, and `protection` unless that is nil.
    package func openOrMakeFolder(
        _ name: FileName, in folder: Handle, mode: UInt16, as protection: DataProtection? = nil
    ) throws -> Handle {
        if let existing = try openFolderIfPresent(name, in: folder) { return existing }
        do {
            try makeFolder(name, in: folder, mode: mode)
        } catch let error as FileSystemError where error.code == .fileExists {
            // Another process made it first.
            return try openFolder(name, in: folder)
        }
        let made = try openFolder(name, in: folder)
        if let protection { try protect(made, mode: mode, as: protection) }
        return made
    }

    /// Opens the folder at an absolute path.
    ///
    /// If the folder does not exist, this makes it and the missing folders above it, and syncs each
    /// parent of a new folder.
    package func openOrMakeFolder(
        at path: String, mode: UInt16, as protection: DataProtection? = nil
    ) throws -> Handle {
        var (folder, missing) = try nearestFolder(to: path)
        if !missing.isEmpty { try syncIntoParent(folder) }
        for part in missing {
            let made = try openOrMakeFolder(
                FileName(validating: part), in: folder, mode: mode, as: protection)
            try sync(folder)
            folder = made
        }
        return folder
    }

    /// Makes the name of an existing folder durable: the process that made the folder may have died
    /// before it synced the parent.
    package func syncIntoParent(_ folder: Handle) throws {
        let parent: Handle
        do {
            parent = try openParent(of: folder)
        } catch let error as FileSystemError where error.isWriteRefusal {
            // The process may not open the parent, so it has not made this folder.
            return
        }
        // On another device than its parent, the folder is a mount point, which no user of the volume made.
        if try status(of: parent).identity.device == status(of: folder).identity.device {
            try sync(parent)
        }
    }

    /// Opens the folder at `path` or its nearest existing ancestor, and returns the names that are
    /// missing below it.
    ///
    /// The folders above that one are not opened, because this user may lack the permission.
    package func nearestFolder(to path: String) throws -> (folder: Handle, missing: [String]) {
        var existing = path.split(separator: "/").map(String.init)
        var missing: [String] = []
        while true {
            let prefix = "/" + existing.joined(separator: "/")
            let folder = try unlessMissing { try openFolder(at: prefix) }
            if let folder { return (folder, missing.reversed()) }
            guard let name = existing.popLast() else {
                throw FileSystemError("open folder", path, .noSuchFile)
            }
            missing.append(name)
        }
    }

    /// Removes a file, a link, or a folder with its contents; never follows a link.
    ///
    /// It is no error if `name` is missing. It is an error if another process adds a name to a folder
    /// while this removes the folder.
    package func removeTree(_ name: FileName, in folder: Handle) throws {
        guard let found = try status(of: name, in: folder) else { return }
        guard found.kind == .folder else {
            _ = try unlessMissing { try removeFile(name, in: folder) }
            return
        }
        guard let inner = try openFolderIfPresent(name, in: folder) else { return }
        let entries = try unlessMissing { try list(inner) } ?? []
        for entry in entries { try removeTree(entry, in: inner) }
        _ = try unlessMissing { try removeFolder(name, in: folder) }
    }
}
