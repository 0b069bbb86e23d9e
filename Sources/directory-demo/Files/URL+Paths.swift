import Foundation

extension URL {
    /// The URL of the path that the user gives; `what` names its purpose in the error.
    ///
    /// - Throws: ``Failure`` if `path` is empty.
    init(_ path: String, of what: String, directoryHint: DirectoryHint) throws {
        guard !path.isEmpty else { throw Failure("the path of the \(what) is empty") }
        self.init(filePath: path, directoryHint: directoryHint)
    }

    /// Whether this is `folder` or inside it; links are followed, and the last components may be missing.
    func isInside(_ folder: URL) -> Bool {
        func components(_ url: URL) -> [String] { url.resolvingSymlinksInPath().pathComponents }
        let folder = components(folder.absoluteURL.standardizedFileURL)
        return ancestors.contains { components($0).starts(with: folder) }
    }

    /// The absolute path, and the folders that it is in, up to the root.
    var ancestors: some Sequence<URL> {
        sequence(first: absoluteURL.standardizedFileURL) { url in
            url.pathComponents.count > 1 ? url.deletingLastPathComponent() : nil
        }
    }

    /// - Throws: ``Failure`` if this is inside the store, whose files all belong to collections.
    func check(isOutside store: Store, to action: String) throws {
        if isInside(store.folder) {
            throw Failure("cannot \(action) \(relativePath): it is inside the store")
        }
    }
}
