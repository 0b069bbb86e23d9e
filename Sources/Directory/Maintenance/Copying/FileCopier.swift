import FileSystem

/// Puts files of the original into the copy: clones if the volume can, else copies.
///
/// Never a second name of the same file: whoever writes to one of the two would change the other.
struct FileCopier {
    private let fileSystem: any FileSystem
    private let options: DirectoryOptions
    /// Called with the number of bytes that are in the copy now; throws if that is cancelled.
    let step: (Int) throws -> Void

    init(
        on fileSystem: any FileSystem, _ options: DirectoryOptions,
        step: @escaping (Int) throws -> Void
    ) {
        self.fileSystem = fileSystem
        self.options = options
        self.step = step
    }
}

extension FileCopier {
    /// Gives the copy the file `name`; nil if it was removed from the original.
    func copy(_ name: FileName, from source: Handle, to target: Handle) throws -> CopiedFile? {
        try step(0)
        do {
            let source = try ImportSource(name, in: source, on: fileSystem)
            let mode = source.status.mode
            let file = try source.copy(
                as: name, in: target, mode: mode, prepare: { try protect($0, mode: mode) },
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
        let file = try fileSystem.openFile(name, in: target, for: .create(mode: mode))
        try protect(file, mode: mode)
        try fileSystem.write(bytes, to: file, at: 0)
    }

    /// Opens the folder at `path` in `target`, and makes what is missing of it.
    func openOrMakeFolder(_ path: FolderPath, in target: Handle, mode: UInt16? = nil) throws
        -> Handle
    {
        try path.enumerated().reduce(target) { folder, part in
            // Others than the last one are `.staging`, a transaction's, or for assets.
            let mode = part.offset == path.count - 1 ? mode : nil
            return try fileSystem.openOrMakeFolder(
                part.element, in: folder,
                mode: mode.map { $0 | 0o700 } ?? options.folderPermissions,
                as: options.protection)
        }
    }

    private func protect(_ file: Handle, mode: UInt16) throws {
        guard let protection = options.protection else { return }
        try fileSystem.protect(file, mode: mode, as: protection)
    }
}
