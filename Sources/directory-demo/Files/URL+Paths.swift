import Foundation

extension URL {
    /// The URL of the path that the user gives; `what` names its purpose in the error.
    ///
    /// - Throws: ``Failure`` if `path` is empty.
    init(_ path: String, of what: String, directoryHint: DirectoryHint) throws {
        guard !path.isEmpty else { throw Failure("the path of the \(what) is empty") }
        self.init(filePath: path, directoryHint: directoryHint)
    }

    /// The status of the file, folder or link: lstat(2); nil if that fails, and `errno` says why.
    var status: stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// Opens the file to read; `FileHandle(forReadingFrom:)` does not tell the error number.
    func openToRead() throws -> FileHandle {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError.last }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// The visible files and folders in this folder, in the order of their names.
    func visibleContents() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { !$0.hasPrefix(".") }.sorted().map { appending(path: $0) }
    }

    /// The absolute path, and the folders that it is in, up to the root.
    var ancestors: some Sequence<URL> {
        sequence(first: absoluteURL.standardizedFileURL) { url in
            url.pathComponents.count > 1 ? url.deletingLastPathComponent() : nil
        }
    }

    /// Checks that this is neither the store nor inside it; links are followed, and the last components may be missing.
    ///
    /// - Throws: ``Failure`` if it is, because all files there belong to collections.
    func check(isOutside store: Store, to action: String) throws {
        func components(_ url: URL) -> [String] { url.resolvingSymlinksInPath().pathComponents }
        let folder = components(store.folder.absoluteURL.standardizedFileURL)
        if ancestors.contains(where: { components($0).starts(with: folder) }) {
            throw Failure("cannot \(action) \(relativePath): it is inside the store")
        }
    }
}
