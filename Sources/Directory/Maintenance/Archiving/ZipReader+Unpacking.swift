import FileSystem

extension ZipReader {
    /// The size of the pieces that are read and written, in bytes.
    private static let pieceSize = 1 << 20

    /// The bytes of all files.
    var byteCount: Int { entries.reduce(0) { $0 + $1.bytes.count } }

    /// Makes all files and folders in the empty folder `target`, and syncs them.
    ///
    /// `copier` counts the bytes. Files are checked by their checksums.
    ///
    /// - Throws: ``CopyDamage``; ``FileSystemError``; the errors of `step` and of `copier`, such as `CancellationError`.
    func unpack(
        into target: Handle, _ copier: FileCopier, _ options: DirectoryOptions,
        after step: @escaping @Sendable () throws -> Void
    ) throws {
        let fileSystem = source.fileSystem
        var files: [FolderPath: [FileName]] = [[]: []]
        for located in entries {
            let path = located.entry.path
            let parent = located.entry.isFolder ? path : path.dropLast()
            let folder = try open(parent, in: target, &files, copier)
            guard !located.entry.isFolder, let name = path.last else { continue }
            let mode = located.entry.mode == 0 ? options.filePermissions : located.entry.mode
            let file = try unlessTaken(path) {
                try copier.makeFile(name, in: folder, mode: mode | 0o600)
            }
            try unpack(located, to: file, copier)
            fileSystem.startWriteback(file)
            files[parent, default: []].append(name)
        }
        try fileSystem.sync(files, below: target, after: step)
    }

    /// Opens the folder at `path`, and makes those on the way to it that are not in `files` yet.
    private func open(
        _ path: FolderPath, in target: Handle, _ files: inout [FolderPath: [FileName]],
        _ copier: FileCopier
    ) throws -> Handle {
        var folder = target
        for (count, name) in zip(1..., path) {
            let path = Array(path.prefix(count))
            if files.updateValue(files[path] ?? [], forKey: path) == nil {
                folder = try unlessTaken(path) { try copier.makeFolder(name, in: folder) }
            } else {
                folder = try source.fileSystem.openFolder(name, in: folder)
            }
        }
        return folder
    }

    /// The result of `body`, which makes the file or folder at `path`.
    ///
    /// - Throws: ``CopyDamage`` if the volume takes the name of another entry for the same one, for example because
    ///   it ignores case.
    private func unlessTaken<Result>(_ path: FolderPath, _ body: () throws -> Result) throws
        -> Result
    {
        do {
            return try body()
        } catch let error as FileSystemError where error.code == .fileExists {
            throw Self.hasTwice(path)
        }
    }

    private func unpack(_ located: Located, to file: Handle, _ copier: FileCopier) throws {
        let fileSystem = source.fileSystem
        var crc = CRC32()
        var offset = located.bytes.lowerBound
        while offset < located.bytes.upperBound {
            let count = min(Self.pieceSize, located.bytes.upperBound - offset)
            let bytes = try fileSystem.read(source.handle, at: offset, count: count)
            if bytes.isEmpty { throw CopyDamage(reason: "it is cut off") }
            bytes.withUnsafeBytes { crc.update($0) }
            try fileSystem.write(bytes, to: file, at: offset - located.bytes.lowerBound)
            offset += bytes.count
            try copier.step(bytes.count)
        }
        guard crc.checksum == located.entry.checksum else {
            throw CopyDamage(reason: "\(located.entry.path.text) in it is damaged")
        }
    }
}
