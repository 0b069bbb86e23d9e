import Foundation

/// The files that an import will copy, found before the first one is copied.
struct ImportPlan {
    /// The pictures to copy; those of folders are in the order of their names, depth first.
    private(set) var files: [URL] = []
    /// What cannot be imported, and why, as a sentence without its full stop.
    private(set) var refused: [(path: String, reason: String)] = []
    /// What cannot be read, and why.
    private(set) var failed: [(path: String, reason: String)] = []
    /// The visible files in folders that are no pictures, such as a list of credits.
    private(set) var others: [String] = []

    /// Looks at the files and folders at `paths`.
    init(of paths: some Sequence<String>) {
        for path in paths {
            if path.isEmpty {
                failed.append(("\"\"", "the path is empty"))
            } else {
                add(URL(filePath: path), isNamed: true)
            }
        }
    }

    /// Adds one file, or the files in one folder.
    ///
    /// - Parameters:
    ///   - url: The file or folder.
    ///   - isNamed: Whether the user named it. In a folder, other files than pictures are normal.
    private mutating func add(_ url: URL, isNamed: Bool) {
        func refuse(_ reason: String) { refused.append((url.path, reason)) }
        // Foundation puts this character in place of bytes that are not UTF-8, and another file may have that name.
        if !isNamed, url.lastPathComponent.unicodeScalars.contains("\u{FFFD}") {
            return refuse("its name is not UTF-8, so rename it")
        }
        do {
            guard let status = url.status else { throw POSIXError.last }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                for entry in try url.visibleContents() { add(entry, isNamed: false) }
            case S_IFREG:
                let start = try url.openToRead().read(upToCount: 12) ?? Data()
                if PictureFormat(of: start) != nil {
                    files.append(url)
                } else if isNamed {
                    refuse("it is not a picture")
                } else {
                    others.append(url.path)
                }
            case S_IFLNK: refuse("it is a symbolic link")
            default: refuse("it is not a regular file")
            }
        } catch {
            failed.append((url.path, Failure.reason(of: error)))
        }
    }
}
