import FileSystem

extension Location {
    /// Opens the folder; nil if it does not exist.
    ///
    /// Symbolic links are followed in the path of the system's folder, which a user may have moved
    /// to another volume, but not below it.
    func openFolder() throws -> Handle? {
        let fileSystem = LocalFileSystem()
        return try fileSystem.unlessMissing {
            try names.reduce(fileSystem.openFolder(at: root.url(of: place).filePath)) {
                try fileSystem.openFolder(FileName(validating: $1.component), in: $0)
            }
        }
    }
}
