extension FileSystem {
    /// Gives a new file the name `name`, so that it appears there with all its bytes, or not at all.
    ///
    /// The order of the steps makes this atomic and durable: `make` writes the file under the name `temporary`, the
    /// file is synced, renamed, and its new folder is synced. If that last sync fails, the file has its name, which a power
    /// loss can take away. If an earlier step fails, the temporary file is removed.
    ///
    /// - Parameters:
    ///   - name: The name that the file gets.
    ///   - folder: The folder of the file.
    ///   - temporary: The name of the file until it is complete.
    ///   - place: The folder of the temporary file, on the same volume.
    ///   - replacing: Whether an existing file is replaced; otherwise the name must be free.
    ///   - make: Makes and writes the temporary file, and returns it.
    /// - Returns: The file, open as `make` opened it.
    /// - Throws: ``FileSystemError``, and what `make` throws.
    @discardableResult
    package func placeFile(
        _ name: FileName, in folder: Handle, from temporary: FileName, in place: Handle,
        replacing: Bool = true, _ make: () throws -> Handle
    ) throws -> Handle {
        let file: Handle
        do {
            file = try make()
            try sync(file)
            try rename(temporary, in: place, to: name, in: folder, replacing: replacing)
        } catch {
            // Best effort: the first error is the one to report, and temporary files of dead processes are removed later.
            try? removeFile(temporary, in: place)
            throw error
        }
        try sync(folder)
        return file
    }
}
