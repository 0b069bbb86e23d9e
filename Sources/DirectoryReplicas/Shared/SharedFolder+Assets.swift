import FileSystem

extension SharedFolder {
    /// Whether the file with these bytes is here, by its size; one that cannot be reached is not.
    func hasAsset(_ file: FileValue) throws -> Bool {
        do {
            guard let folder = try assetFolder(file.hash, making: false),
                let status = try disk.status(of: Self.name(file.hash), in: folder)
            else { return false }
            return status.kind == .file && status.size == file.size && !status.isDataless
        } catch let error as FileSystemError where error.isAboutOneFile {
            return false
        }
    }

    /// The path in the shared folder of something in its folder of all assets; nil for the path of anything else.
    func pathInAssets(_ path: String) -> String? {
        guard path.hasPrefix("\(assets.path)/") else { return nil }
        return "assets\(path.dropFirst(assets.path.count))"
    }

    /// Opens the file with these bytes, whose hash is not checked; nil if it is missing.
    func openAsset(_ file: FileValue) throws -> ImportSource? {
        let name = try Self.name(file.hash)
        guard let folder = try assetFolder(file.hash, making: false),
            try disk.status(of: name, in: folder)?.kind == .file
        else { return nil }
        return try disk.unlessMissing { try ImportSource(name, in: folder, on: disk) }
    }

    /// Puts a copy of `source` into the folder, unless it is there already, and returns its hash and size.
    ///
    /// When this returns, the file is on stable storage under its name.
    func publish(
        _ source: ImportSource, temporary: (folder: Handle, disk: any FileSystem)
    ) throws -> (hash: SHA256.Digest, size: Int) {
        let hidden = try FileName(validating: ".\(RandomName.digits()).tmp")
        let (hash, size) = try Self.hash(source.handle, on: source.fileSystem)
        guard let folder = try assetFolder(hash, making: true) else {
            throw FileSystemError("open folder", assets.path, .noSuchFile)
        }
        let name = try Self.name(hash)
        switch try disk.status(of: name, in: folder)?.kind {
        case .file: if try isWhole(name, in: folder, hash) { return (hash, size) }
        case nil: break
        case .folder, .symbolicLink, .other: try Self.setAside(name, in: folder, on: disk)
        }
        // Clones and copies inside the kernel need one file system.
        let target = source.fileSystem is LocalFileSystem && disk is LocalFileSystem ? nil : disk
        do {
            let copy = try source.copy(
                as: hidden, in: root, mode: 0o644, on: target, step: { _ in })
            guard try Self.hash(copy, on: disk).hash == hash else {
                throw FileSystemError("copy", source.handle.path, .ioError)
            }
            try disk.sync(copy)
            try disk.rename(hidden, in: root, to: name, in: folder, replacing: true)
        } catch {
            // Best effort: a hidden file does no harm.
            try? disk.removeFile(hidden, in: root)
            throw error
        }
        try disk.sync(folder)
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

    /// Removes old assets that no item has.
    ///
    /// Files that came after `time`, in seconds since 1970, stay, because the segment that names them may be on its
    /// way.
    func removeAssets(before time: Int, unless isUsed: (SHA256.Digest) -> Bool) throws {
        for outer in try disk.list(assets) where outer.bytes.count == 2 {
            do {
                guard let folder = try disk.openFolderIfOne(outer, in: assets) else { continue }
                for name in try disk.list(folder) {
                    guard let hash = SHA256.Digest(name.string), !isUsed(hash) else { continue }
                    try removeAsset(name, in: folder, before: time)
                }
            } catch let error as FileSystemError where error.isAboutOneFile {
                // They are removed when they can be reached again.
                continue
            }
        }
    }

    /// Removes the asset of `file`, whose bytes are wrong, so that a device with the right bytes writes it again.
    ///
    /// A file that came after `time`, in seconds since 1970, stays, because an engine may still be writing it.
    func removeWrongAsset(_ file: FileValue, before time: Int) throws {
        guard let folder = try assetFolder(file.hash, making: false) else { return }
        try removeAsset(Self.name(file.hash), in: folder, before: time)
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
