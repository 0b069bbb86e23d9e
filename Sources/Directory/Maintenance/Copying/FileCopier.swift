import FileSystem
import Synchronization

/// Puts files of the original into the copy: clones if the volume can, else copies.
///
/// A permanent copy never gets hard links to the original: a write to one file would change the other.
struct FileCopier {
    let fileSystem: any FileSystem
    let options: DirectoryOptions
    /// Makes hard links on volumes that cannot make clones; nil for a permanent copy.
    private let links: SecondNames?
    /// Called with the number of bytes that were just copied; throws to cancel.
    let step: (Int) throws -> Void

    init(
        on fileSystem: any FileSystem, _ options: DirectoryOptions, isTransient: Bool = false,
        step: @escaping (Int) throws -> Void
    ) {
        links = isTransient ? SecondNames() : nil
        self.fileSystem = fileSystem
        self.options = options
        self.step = step
    }
}

extension FileCopier {
    /// Copies the file `name`; nil if it was removed from the original.
    func copy(_ name: FileName, from source: Handle, to target: Handle) throws -> CopiedFile? {
        try step(0)
        do {
            let source = try ImportSource(name, in: source, on: fileSystem)
            let mode = source.status.mode
            if let links, try links.share(source, as: name, in: target) {
                try step(source.status.size)
                return CopiedFile(original: source.status)
            }
            let file = try source.copy(
                as: name, in: target, mode: mode,
                prepare: { try fileSystem.protect($0, mode: mode, by: options) },
                step: step)
            fileSystem.startWriteback(file)
            return CopiedFile(original: source.status)
        } catch let error as FileSystemError where error.code == .noSuchFile {
            guard try fileSystem.status(of: name, in: source) == nil else { throw error }
            return nil
        }
    }

    /// Makes the new file `name` with `bytes`.
    func write(_ bytes: [UInt8], to name: FileName, in target: Handle, mode: UInt16) throws {
        try fileSystem.write(bytes, to: makeFile(name, in: target, mode: mode), at: 0)
    }

    /// Makes the new file `name`.
    func makeFile(_ name: FileName, in target: Handle, mode: UInt16) throws -> Handle {
        let file = try fileSystem.openFile(name, in: target, for: .create(mode: mode))
        try fileSystem.protect(file, mode: mode, by: options)
        return file
    }

    /// Makes the new folder `name`, and opens it.
    func makeFolder(_ name: FileName, in target: Handle) throws -> Handle {
        let mode = options.folderPermissions
        try fileSystem.makeFolder(name, in: target, mode: mode)
        let made = try fileSystem.openFolder(name, in: target)
        try fileSystem.protect(made, mode: mode, by: options)
        return made
    }

    /// Opens the folder at `path` in `target`, and makes the missing folders of the path.
    func openOrMakeFolder(_ path: FolderPath, in target: Handle, mode: UInt16? = nil) throws
        -> Handle
    {
        try path.enumerated().reduce(target) { folder, part in
            // The folders above the last one are `.staging`, or of a transaction, or for assets.
            let mode = part.offset == path.count - 1 ? mode : nil
            return try fileSystem.openOrMakeFolder(
                part.element, in: folder,
                mode: mode.map { $0 | 0o700 } ?? options.folderPermissions,
                as: options.protection)
        }
    }
}

/// Shares the files of the original with a copy that is only read, and removed soon.
private final class SecondNames: Sendable {
    /// Whether the volume may be able to make clones, which leave the original as it is.
    private let canClone = Mutex(true)

    /// Makes `name` in `target` a clone of `source`, or a hard link to it.
    ///
    /// - Returns: False if the volume supports neither.
    func share(_ source: ImportSource, as name: FileName, in target: Handle) throws -> Bool {
        let fileSystem = source.fileSystem
        if canClone.withLock(\.self) {
            let (_, isClone) = try fileSystem.createFile(
                name, in: target, mode: source.status.mode, cloning: source.handle)
            if isClone { return true }
            try fileSystem.removeFile(name, in: target)
            canClone.withLock { $0 = false }
        }
        let folder = try source.openFolder()
        guard (try? fileSystem.link(source.name, in: folder, to: name, in: target)) != nil else {
            return false
        }
        // The original may have been replaced since it was opened.
        if try fileSystem.status(of: name, in: target)?.identity == source.status.identity {
            return true
        }
        try fileSystem.removeFile(name, in: target)
        return false
    }
}
