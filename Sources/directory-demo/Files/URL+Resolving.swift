import Foundation

extension URL {
    /// A folder that the user names.
    ///
    /// - Throws: ``Failure`` if `path` is empty.
    init(folder path: String) throws {
        guard !path.isEmpty else { throw Failure(.operation, "the path of the folder is empty") }
        self.init(filePath: path, directoryHint: .isDirectory)
    }

    /// A backup or an archive that the user names.
    ///
    /// - Throws: ``Failure`` if `path` is empty.
    init(source path: String) throws {
        guard !path.isEmpty else { throw Failure(.operation, "the path of the backup is empty") }
        self.init(filePath: path, directoryHint: .checkFileSystem)
    }

    /// Whether there is a file.
    var isFile: Bool {
        !hasDirectoryPath && FileManager.default.fileExists(atPath: path(percentEncoded: false))
    }

    /// Whether this is `folder` or inside it; links are followed, and the end may be missing.
    func isInside(_ folder: URL) -> Bool {
        resolvedComponents.starts(with: folder.resolvedComponents)
    }

    /// The components of the path without links, as far as it exists, and then as they are.
    private var resolvedComponents: [String] {
        let components = absoluteURL.standardizedFileURL.pathComponents
        for count in stride(from: components.count, to: 0, by: -1) {
            let start = NSString.path(withComponents: Array(components.prefix(count)))
            if let resolved = realpath(start, nil) {
                defer { free(resolved) }
                return URL(filePath: String(cString: resolved)).pathComponents
                    + components.dropFirst(count)
            }
        }
        return components
    }
}
