import FileSystem

/// The files in `assets` that are of no use now.
struct UselessAssets: Sendable {
    /// Those whose bytes do not fit their names, as they were when that was found.
    var wrong: [FileName: FileStatus] = [:]
    /// Those that could not be read in this sync.
    var unreachable: Set<FileName> = []

    func contains(_ name: FileName, _ status: FileStatus) -> Bool {
        wrong[name] == status || unreachable.contains(name)
    }
}

extension SharedFolder {
    /// The file in `assets` that has these bytes, by its size; nil if there is none, or it cannot be reached.
    ///
    /// The name is the hash. If the file with that name is of no use, another one can have a name that begins with the hash:
    /// devices that got wrong bytes get them again so.
    func findAsset(_ file: FileValue, beside useless: UselessAssets = .init()) throws -> (
        name: FileName, status: FileStatus
    )? {
        do {
            guard let folder = try assetFolder(file.hash, making: false) else { return nil }
            func usable(_ name: FileName) throws -> (FileName, FileStatus)? {
                guard let status = try disk.status(of: name, in: folder), status.kind == .file,
                    status.size == file.size, !status.isDataless, !useless.contains(name, status)
                else { return nil }
                return (name, status)
            }
            let name = try Self.name(file.hash)
            if let found = try usable(name) { return found }
            // Mostly it has not arrived yet, and many others neither.
            if try disk.status(of: name, in: folder) == nil { return nil }
            let prefix = "\(name)-".utf8
            for other in try disk.list(folder) where other.bytes.starts(with: prefix) {
                if let found = try usable(other) { return found }
            }
            return nil
        } catch let error as FileSystemError where error.isAboutOneFile {
            return nil
        }
    }

    /// The path in the shared folder of something in its folder of all assets; nil for the path of anything else.
    func pathInAssets(_ path: String) -> String? {
        guard path.hasPrefix("\(assets.path)/") else { return nil }
        return "assets\(path.dropFirst(assets.path.count))"
    }

    /// The status of a file in `assets`; nil if it is gone.
    func statusOfAsset(_ name: FileName) throws -> FileStatus? {
        let outer = try FileName(validating: String(name.string.prefix(2)))
        guard let folder = try disk.openFolderIfOne(outer, in: assets) else { return nil }
        return try disk.status(of: name, in: folder)
    }

    /// Opens a file in `assets`, whose bytes are not checked; nil if it is gone.
    func openAsset(_ name: FileName, of file: FileValue) throws -> ImportSource? {
        guard let folder = try assetFolder(file.hash, making: false) else { return nil }
        return try disk.unlessMissing { try ImportSource(name, in: folder, on: disk) }
    }

    /// Puts a copy of `source` into the folder, unless it is there already, and returns its hash and size.
    ///
    /// When this returns, the file is on stable storage under its name, which has the dot of the segment that asked for
    /// the file again, if one did.
    func publish(
        _ source: ImportSource, answering request: Dot? = nil
    ) throws -> (hash: SHA256.Digest, size: Int) {
        let hidden = try FileName(validating: ".\(RandomName.digits()).tmp")
        let (hash, size) = try Self.hash(source.handle, on: source.fileSystem)
        guard let folder = try assetFolder(hash, making: true) else {
            throw FileSystemError("open folder", assets.path, .noSuchFile)
        }
        let name =
            try request.map {
                try FileName(validating: "\(hash)-\($0.device)-\($0.number)")
            } ?? Self.name(hash)
        switch try disk.status(of: name, in: folder)?.kind {
        case .file: if try isWhole(name, in: folder, hash) { return (hash, size) }
        case nil: break
        case .folder, .symbolicLink, .other: try Self.setAside(name, in: folder, on: disk)
        }
        // Clones and copies inside the kernel need one file system.
        let target = source.fileSystem is LocalFileSystem && disk is LocalFileSystem ? nil : disk
        try disk.placeFile(name, in: folder, from: hidden, in: root) {
            let copy = try source.copy(
                as: hidden, in: root, mode: 0o644, on: target, step: { _ in })
            guard try Self.hash(copy, on: disk).hash == hash else {
                throw FileSystemError("copy", source.handle.path, .ioError)
            }
            return copy
        }
        return (hash, size)
    }

    /// Whether a file has the bytes with this hash; one that cannot be read is of no use.
    private func isWhole(_ name: FileName, in folder: Handle, _ hash: SHA256.Digest) throws -> Bool
    {
        do {
            let known = try disk.openFile(name, in: folder, for: .read)
            return try Self.hash(known, on: disk).hash == hash
        } catch let error as FileSystemError where error.isAboutOneFile {
            return false
        }
    }

    /// The hash and the size of an open file.
    static func hash(_ file: Handle, on disk: any FileSystem) throws -> (
        hash: SHA256.Digest, size: Int
    ) {
        var hash = SHA256()
        var size = 0
        try withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
            while case let count = try disk.read(file, at: size, into: buffer), count > 0 {
                hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                size += count
            }
        }
        return (hash.finish(), size)
    }

    /// Throws ``WrongBytes`` if an open file has not the bytes of `expected`.
    static func check(_ file: Handle, on disk: any FileSystem, _ expected: FileValue) throws {
        guard try hash(file, on: disk).hash == expected.hash else { throw WrongBytes() }
    }

    /// The path in the shared folder of a file in `assets`.
    static func path(ofAsset name: FileName) -> String {
        "assets/\(name.string.prefix(2))/\(name)"
    }

    /// Removes old assets that no item has.
    ///
    /// Files that came after `time`, in seconds since 1970, stay, because the segment that names them may be on its
    /// way.
    func removeAssets(before time: Int, unless isUsed: (SHA256.Digest) -> Bool) throws {
        for outer in try disk.list(assets) where outer.bytes.count == 2 {
            do {
                guard let folder = try disk.openFolderIfOne(outer, in: assets) else { continue }
                for name in try disk.list(folder) {
                    guard let hash = Self.hash(inNameOfAsset: name), !isUsed(hash) else { continue }
                    try removeAsset(name, in: folder, before: time)
                }
            } catch let error as FileSystemError where error.isAboutOneFile {
                // They are removed when they can be reached again.
                continue
            }
        }
    }

    /// The hash that the bytes of a file in `assets` have by its name; nil if it has another name.
    static func hash(inNameOfAsset name: FileName) -> SHA256.Digest? {
        let text = name.string
        let hash = text.prefix(64)
        return hash.count == text.count || text.dropFirst(64).hasPrefix("-")
            ? SHA256.Digest(hash) : nil
    }

    private func removeAsset(_ name: FileName, in folder: Handle, before time: Int) throws {
        // An engine can give a file the time that it has on another device. The time of its last change is of this one.
        guard let status = try disk.status(of: name, in: folder), status.kind == .file,
            max(status.modified.seconds, status.changed.seconds) < time
        else { return }
        _ = try disk.unlessMissing { try disk.removeFile(name, in: folder) }
    }

    private static func name(_ hash: SHA256.Digest) throws -> FileName {
        try FileName(validating: hash.description)
    }

    private func assetFolder(_ hash: SHA256.Digest, making: Bool) throws -> Handle? {
        let name = try FileName(validating: String(hash.description.prefix(2)))
        if let folder = try disk.openFolderIfOne(name, in: assets) { return folder }
        guard making else { return nil }
        if try disk.status(of: name, in: assets) != nil {
            try Self.setAside(name, in: assets, on: disk)
        }
        return try disk.openOrMakeFolder(name, in: assets, mode: 0o755)
    }
}
