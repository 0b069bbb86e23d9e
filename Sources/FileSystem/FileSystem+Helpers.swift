package import Foundation

extension FileSystem {
    package func syncData(_ file: Handle) throws { try sync(file) }

    package func undatedStatus(of name: FileName, in folder: Handle) throws -> FileStatus? {
        try status(of: name, in: folder)
    }

    /// All bytes of an open file.
    package func readAll(_ file: Handle, from start: Int = 0, expecting size: Int? = nil) throws
        -> [UInt8]
    {
        var bytes: [UInt8] = []
        var room = max(try size ?? status(of: file).size - start, 0) + 1
        while true {
            let offset = start + bytes.count
            let part = try [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                count = try read(file, at: offset, into: UnsafeMutableRawBufferPointer(buffer))
            }
            if bytes.isEmpty { bytes = part } else { bytes += part }
            if part.count < room { return bytes }
            room = 4096
        }
    }

    /// All bytes of the file `name`, nil where there is none.
    package func readAll(_ name: FileName, in folder: Handle) throws -> [UInt8]? {
        try unlessMissing { try readAll(openFile(name, in: folder, for: .read)) }
    }

    /// Writes all of `bytes` at `offset`.
    package func write(_ bytes: [UInt8], to file: Handle, at offset: Int) throws {
        try bytes.withUnsafeBytes { try write($0, to: file, at: offset) }
    }

    /// The folder `name`, made first where there is none.
    package func openOrMakeFolder(_ name: FileName, in folder: Handle, mode: UInt16) throws
        -> Handle
    {
        if let existing = try unlessMissing({ try openFolder(name, in: folder) }) {
            return existing
        }
        do {
            try makeFolder(name, in: folder, mode: mode)
        } catch let error as FileSystemError where error.code == .fileExists {
            // Another process made it first.
        }
        return try openFolder(name, in: folder)
    }

    /// The folder `name`, nil where there is none.
    package func openFolderIfPresent(_ name: FileName, in folder: Handle) throws -> Handle? {
        try unlessMissing { try openFolder(name, in: folder) }
    }

    /// Opens the folder that holds the file or folder at `url`; links in its path are followed.
    package func openParent(of url: URL) throws -> Handle {
        try openFolder(at: url.deletingLastPathComponent().path(percentEncoded: false))
    }

    /// The folder at an absolute path, made first where there is none, as are those on the way;
    /// each new one is synced into the one above.
    package func openOrMakeFolder(at path: String, mode: UInt16) throws -> Handle {
        var (folder, missing) = try nearestFolder(to: path)
        for part in missing {
            let made = try openOrMakeFolder(FileName(validating: part), in: folder, mode: mode)
            try sync(folder)
            folder = made
        }
        return folder
    }

    /// The nearest folder that exists on the way to `path`, and what is missing below it.
    ///
    /// Those above need not be open to this user, so none of them is looked at.
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

    /// Removes a file or link, or a folder with all that lies in it, and never follows a link.
    ///
    /// What is gone already is no error; a name that comes while the folder is emptied is one.
    package func removeTree(_ name: FileName, in folder: Handle) throws {
        guard let found = try status(of: name, in: folder) else { return }
        guard found.kind == .folder else {
            _ = try unlessMissing { try removeFile(name, in: folder) }
            return
        }
        guard let inner = try openFolderIfPresent(name, in: folder) else { return }
        for entry in try list(inner) { try removeTree(entry, in: inner) }
        _ = try unlessMissing { try removeFolder(name, in: folder) }
    }

    /// The result of `body`, nil where it fails because a name does not exist.
    package func unlessMissing<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as FileSystemError where error.code == .noSuchFile {
            return nil
        }
    }
}
