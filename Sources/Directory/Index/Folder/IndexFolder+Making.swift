import FileSystem

/// All files and folders of an index are made here, with the permissions and data protection of the options.
extension IndexFolder {
    /// Makes the new file `name` in `folder`, with the permissions of the options unless `mode` is given.
    func makeFile(_ name: FileName, in folder: Handle, mode: UInt16? = nil) throws -> Handle {
        let mode = mode ?? options.filePermissions
        let file = try fileSystem.openFile(name, in: folder, for: .create(mode: mode))
        try protect(file, mode: mode)
        return file
    }

    /// Opens the folder `name` in `folder`, and makes it first if it is missing.
    func openOrMakeFolder(_ name: FileName, in folder: Handle) throws -> Handle {
        try fileSystem.openOrMakeFolder(
            name, in: folder, mode: options.folderPermissions, as: options.protection)
    }

    /// Gives a new file or folder the data protection of the options, if there is one.
    func protect(_ handle: Handle, mode: UInt16) throws {
        try fileSystem.protect(handle, mode: mode, by: options)
    }

    /// Gives the file or folder `name` in `parent`, and its contents, the data protection of the options, if there is
    /// one.
    ///
    /// Permissions stay as they are. Links and special files are left alone.
    func protectTree(_ name: FileName, in parent: Handle) throws {
        guard options.protection != nil,
            let found = try fileSystem.status(of: name, in: parent)
        else { return }
        switch found.kind {
        case .file:
            try protect(fileSystem.openFile(name, in: parent, for: .read), mode: found.mode)
        case .folder:
            let inner = try fileSystem.openFolder(name, in: parent)
            try protect(inner, mode: found.mode)
            for entry in try fileSystem.list(inner) { try protectTree(entry, in: inner) }
        default: return
        }
    }
}

extension FileSystem {
    /// Gives a new file or folder the data protection of `options`, if there is one.
    func protect(_ handle: Handle, mode: UInt16, by options: DirectoryOptions) throws {
        guard let protection = options.protection else { return }
        try protect(handle, mode: mode, as: protection)
    }
}

/// The seam's type, which the option's type of the same name hides.
typealias ProtectionClass = DataProtection

extension DirectoryOptions {
    /// The class of data protection of new files and folders; nil for the system's own.
    var protection: ProtectionClass? {
        switch dataProtection {
        case nil: nil
        case .complete: .complete
        case .completeUnlessOpen: .completeUnlessOpen
        case .completeUntilFirstUserAuthentication: .completeUntilFirstUserAuthentication
        case .some(.none): ProtectionClass.none
        }
    }
}
