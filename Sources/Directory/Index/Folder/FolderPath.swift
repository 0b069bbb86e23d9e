import FileSystem

/// The path from a folder to another one inside it, as names.
typealias FolderPath = [FileName]

extension FolderPath {
    /// The path as text, relative to the first folder.
    var text: String { map(\.string).joined(separator: "/") }
}

extension FileSystem {
    /// Opens the folder at `path` in `folder`; nil if it is missing, or something else than a folder.
    func openFolder(_ path: FolderPath, in folder: Handle) throws -> Handle? {
        try unlessNoFolder { try path.reduce(folder) { try openFolder($1, in: $0) } }
    }

    /// The result of `body`; nil if a folder of a path is missing, or is something else.
    func unlessNoFolder<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as FileSystemError where error.isNoFolder || error.code == .noSuchFile {
            return nil
        }
    }
}

extension FileSystemError {
    /// Whether a folder could not be opened because a file or a link has its name.
    var isNoFolder: Bool { [.notFolder, .tooManyLinks].contains(code) }
}
