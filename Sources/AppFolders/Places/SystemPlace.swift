import FileSystem
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
    /// The URL of the app's own folder.
    var appURL: URL {
        switch self {
        case .documents: UserFolder.documents.url
        case .inbox: Self.documents.appURL.appending(path: "Inbox", directoryHint: .isDirectory)
        case .library: UserFolder.library.url
        case .caches: UserFolder.caches.url
        case .applicationSupport: UserFolder.applicationSupport.url
        case .tmp: UserFolder.temporary.url
        }
    }
}
