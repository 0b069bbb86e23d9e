import FileSystem
import Foundation

extension StoreFolder {
    /// The bytes of the file at `path`.
    func load(_ path: StorePath) throws -> Data {
        let folder = try openFolder(holding: path)
        let file = try fileSystem.openFile(path.name, in: folder, for: .read)
        var data = Data(count: try fileSystem.status(of: file).size)
        let count = try data.withUnsafeMutableBytes { try fileSystem.read(file, at: 0, into: $0) }
        return data.prefix(count)
    }

    /// Describes the file or folder at `path`.
    func info(_ path: StorePath) throws -> StoredFile {
        let folder = try openFolder(holding: path)
        guard let status = try fileSystem.status(of: path.name, in: folder) else {
            throw FileStoreError.fileNotFound(path: path.string)
        }
        guard status.kind == .file || status.kind == .folder else {
            throw FileStoreError.link(path: path.string)
        }
        return describe(path.string, status)
    }

    /// The files and folders in the folder at `path`, or in the store if `path` is nil.
    func list(_ path: StorePath?, recursive: Bool, _ cancellation: Cancellation) throws
        -> [StoredFile]
    {
        var found: [StoredFile] = []
        try walk(path, recursive: recursive, cancellation) { found.append(describe($0, $1)) }
        return found
    }

    /// The sum of the sizes of all files in the store, in bytes.
    func totalSize(_ cancellation: Cancellation) throws -> UInt64 {
        var total: UInt64 = 0
        try walk(nil, recursive: true, cancellation) { _, status in
            if status.kind == .file { total += UInt64(status.size) }
        }
        return total
    }

    private func describe(_ path: String, _ status: FileStatus) -> StoredFile {
        let isFolder = status.kind == .folder
        return StoredFile(
            relativePath: path, root: url, size: isFolder ? 0 : UInt64(status.size),
            createdAt: status.creationDate, modifiedAt: status.modificationDate,
            isDirectory: isFolder)
    }
}

extension StoreFolder {
    private typealias Visit = (_ path: String, _ status: FileStatus) throws -> Void

    private func walk(
        _ path: StorePath?, recursive: Bool, _ cancellation: Cancellation, _ visit: Visit
    ) throws {
        if let path {
            let folder = try openFolder(path)
            try walk(folder, path.string + "/", recursive: recursive, cancellation, visit)
        } else if let root = try openRoot(making: false) {
            try walk(root, "", recursive: recursive, cancellation, visit)
        }
    }

    private func walk(
        _ folder: Handle, _ prefix: String, recursive: Bool, _ cancellation: Cancellation,
        _ visit: Visit
    ) throws {
        var known = try fileSystem.list(folder).compactMap { name in
            TemporaryName.matches(name) ? nil : name.exactString.map { (name: name, string: $0) }
        }
        known.sort { $0.string < $1.string }
        for (name, string) in known {
            try cancellation.check()
            guard let status = try fileSystem.status(of: name, in: folder),
                status.kind == .file || status.kind == .folder
            else { continue }
            try visit(prefix + string, status)
            guard recursive, status.kind == .folder, let inner = try enter(name, in: folder) else {
                continue
            }
            try walk(inner, prefix + string + "/", recursive: true, cancellation, visit)
        }
    }

    /// Opens the folder `name`; nil if it was removed or replaced after its status was read.
    private func enter(_ name: FileName, in folder: Handle) throws -> Handle? {
        do {
            return try fileSystem.openFolder(name, in: folder)
        } catch let error as FileSystemError
            where [.noSuchFile, .notFolder, .tooManyLinks].contains(error.code)
        {
            return nil
        }
    }
}
