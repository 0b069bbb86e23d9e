import Foundation

/// The files that an import will copy, found before the first one is copied.
struct ImportPlan {
    /// A file or folder that cannot be imported.
    struct Refused {
        let path: String
        /// The reason, as a sentence without its full stop.
        let reason: String
    }

    /// The pictures to copy; those of folders are in the order of their names, depth first.
    private(set) var files: [URL] = []
    /// The files and folders that cannot be imported, which stop an import that must leave nothing out.
    private(set) var refused: [Refused] = []
    /// The files in folders whose names are invalid; their paths are escaped.
    private(set) var misnamed: [Refused] = []
    /// The names of visible files in folders that are no pictures, such as a list of credits.
    private(set) var others: [String] = []

    /// Looks at the files and folders at `paths`.
    init(of paths: some Sequence<String>) {
        for path in paths {
            // With a slash at the end, a link to a folder would be followed.
            let end = path.lastIndex { $0 != "/" }
            let url = URL(filePath: end.map { String(path[...$0]) } ?? "/")
            if path.isEmpty {
                refused.append(Refused(path: "\"\"", reason: "the path is empty"))
            } else {
                add(url, isNamed: true)
            }
        }
    }

    /// Adds one file, or the files in one folder.
    ///
    /// - Parameters:
    ///   - url: The file or folder.
    ///   - isNamed: Whether the user named it. In a folder, other files than pictures are normal.
    private mutating func add(_ url: URL, isNamed: Bool) {
        switch Kind(at: url.path(percentEncoded: false)) {
        case .picture: files.append(url)
        case .otherFile where !isNamed: others.append(url.lastPathComponent)
        case .otherFile: refuse(url, "it is not a picture")
        case .unsupported(let reason): refuse(url, reason)
        case .folder:
            do {
                let listing = try FolderListing(of: url)
                for name in listing.invalidNames { add(name, in: url) }
                for entry in listing.urls { add(entry, isNamed: false) }
            } catch {
                refuse(url, "it cannot be listed")
            }
        }
    }

    private mutating func add(_ name: InvalidName, in folder: URL) {
        if case .otherFile = Kind(at: name.path(in: folder)) {
            others.append(name.escaped)
        } else {
            let path = name.escapedPath(in: folder)
            misnamed.append(Refused(path: path, reason: InvalidName.reason))
        }
    }

    private mutating func refuse(_ url: URL, _ reason: String) {
        refused.append(Refused(path: url.path(percentEncoded: false), reason: reason))
    }
}

extension ImportPlan {
    /// The kind of the file or folder at a path.
    private enum Kind {
        case picture, otherFile, folder, unsupported(String)

        init(at path: UnsafePointer<CChar>) {
            var status = stat()
            guard lstat(path, &status) == 0 else {
                self = .unsupported(errno == ENOENT ? "it does not exist" : Self.errorText)
                return
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: self = .folder
            case S_IFREG: self = Self.regular(path)
            case S_IFLNK: self = .unsupported("it is a symbolic link")
            default: self = .unsupported("it is not a regular file")
            }
        }

        private static func regular(_ path: UnsafePointer<CChar>) -> Self {
            // The file may have been replaced meanwhile, so the call neither follows a link nor waits.
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return .unsupported(errorText) }
            defer { close(descriptor) }
            var start = [UInt8](repeating: 0, count: PictureFormat.signatureLength)
            let count = read(descriptor, &start, start.count)
            guard count >= 0 else { return .unsupported(errorText) }
            return PictureFormat(of: start.prefix(count)) == nil ? .otherFile : .picture
        }

        private static var errorText: String { String(cString: strerror(errno)) }
    }
}
