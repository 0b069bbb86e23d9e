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
    /// - Throws: ``ArchiveDamage``; ``FileSystemError``; the errors of `step` and of `copier`, such as `cancelled`.
    func unpack(
        into target: Handle, _ copier: FileCopier, _ options: DirectoryOptions,
        after step: @escaping @Sendable () throws -> Void
    ) throws {
        let fileSystem = source.fileSystem
        var files: [FolderPath: [FileName]] = [[]: []]
        for located in entries {
            let path = located.entry.path
            let parent = located.entry.isFolder ? path : path.dropLast()
            var above = parent[...]
            while files[Array(above)] == nil {
                files[Array(above)] = []
                above = above.dropLast()
            }
            let folder = try copier.openOrMakeFolder(parent, in: target)
            guard !located.entry.isFolder, let name = path.last else { continue }
            let mode = located.entry.mode == 0 ? options.filePermissions : located.entry.mode
            let file = try copier.makeFile(name, in: folder, mode: mode | 0o600)
            try unpack(located, to: file, copier)
            fileSystem.startWriteback(file)
            files[parent, default: []].append(name)
        }
        try fileSystem.sync(files, below: target, after: step)
    }

    private func unpack(_ located: Located, to file: Handle, _ copier: FileCopier) throws {
        let fileSystem = source.fileSystem
        var crc = CRC32()
        var offset = located.bytes.lowerBound
        while offset < located.bytes.upperBound {
            let count = min(Self.pieceSize, located.bytes.upperBound - offset)
            let bytes = try fileSystem.read(source.handle, at: offset, count: count)
            if bytes.isEmpty { throw ArchiveDamage(reason: "it is cut off") }
            bytes.withUnsafeBytes { crc.update($0) }
            try fileSystem.write(bytes, to: file, at: offset - located.bytes.lowerBound)
            offset += bytes.count
            try copier.step(bytes.count)
        }
        guard crc.checksum == located.entry.checksum else {
            throw ArchiveDamage(reason: "\(located.entry.path.text) in it is damaged")
        }
    }
}
