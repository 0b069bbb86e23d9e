import Foundation

/// A folder that the system gives to an app.
enum SystemPlace: Sendable {
    case documents, inbox, library, caches, applicationSupport, tmp

    /// The path in the app's container.
    var subpath: String {
        switch self {
        case .documents: "Documents"
        case .inbox: "Documents/Inbox"
        case .library: "Library"
        case .caches: "Library/Caches"
        case .applicationSupport: "Library/Application Support"
        case .tmp: "tmp"
        }
    }

    var isPurgeable: Bool { self == .caches || self == .tmp }

    var isBackedUp: Bool { !isPurgeable }

    /// Whether `name`, in any case, is the name of another folder of the system inside this one.
    func reserves(_ name: String) -> Bool {
        switch (self, name.lowercased()) {
        case (.documents, "inbox"), (.library, "caches"), (.library, "application support"): true
        default: false
        }
    }
}

extension SystemPlace {
    /// The URL of the app's own folder, from `FileManager`.
    var appURL: URL {
        switch self {
        case .documents: unquoted(folder(.documentDirectory))
        case .inbox: Self.documents.appURL.appending(path: "Inbox", directoryHint: .isDirectory)
        // Linux has no Library; the XDG data folder has its purpose.
        case .library: folder(.libraryDirectory, .applicationSupportDirectory)
        case .caches: folder(.cachesDirectory)
        case .applicationSupport: folder(.applicationSupportDirectory)
        case .tmp: asFolder(FileManager.default.temporaryDirectory)
        }
    }

    private func folder(_ directories: FileManager.SearchPathDirectory...) -> URL {
        let urls = directories.lazy.flatMap {
            FileManager.default.urls(for: $0, in: .userDomainMask)
        }
        return urls.first.map(asFolder)
            ?? FolderRoot.app.baseURL.appending(path: subpath, directoryHint: .isDirectory)
    }

    private func asFolder(_ url: URL) -> URL {
        URL(filePath: url.filePath, directoryHint: .isDirectory)
    }

    /// Corrects the URL that FileManager on Linux gives for `XDG_DOCUMENTS_DIR="$HOME/Papers"`: it
    /// takes the quotes and the variable for the name of a folder in the home folder.
    private func unquoted(_ url: URL) -> URL {
        let home = FolderRoot.app.baseURL.filePath
        let parts = url.filePath
            .split(separator: "\"", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == home else { return url }
        let path = parts[1].hasPrefix("$HOME/") ? home + parts[1].dropFirst(6) : String(parts[1])
        return path.hasPrefix("/") ? URL(filePath: path, directoryHint: .isDirectory) : url
    }
}
