import FileSystem

/// The path from a folder to another one inside it, as names.
typealias FolderPath = [FileName]

extension FileSystem {
    /// Opens the folder at `path` in `folder`; nil if it is missing, or something else than a folder.
    func openFolder(_ path: FolderPath, in folder: Handle) throws -> Handle? {
        do {
            return try path.reduce(folder) { try openFolder($1, in: $0) }
        } catch let error as FileSystemError
            where [.noSuchFile, .notFolder, .tooManyLinks].contains(error.code)
        {
            return nil
        }
    }
}
