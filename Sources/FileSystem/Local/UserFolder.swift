package import Foundation

/// A folder that the system gives to the user of the process; all libraries ask here.
///
/// On Apple platforms it is that of `FileManager`. On Linux it is that of the XDG Base Directory Specification, or of
/// `user-dirs.dirs` (xdg-user-dirs), in the home folder `$HOME`; if that is not set, as in many services, in the home folder
/// of the user database. Foundation has other answers there: without `$HOME`, folders in `/home` and in the root folder; with
/// another `$HOME` than in the database, some folders in the one and some in the other.
package enum UserFolder: Sendable {
    case home, documents, library, applicationSupport, caches

    #if canImport(ObjectiveC)
        package var url: URL {
            let home = URL(filePath: NSHomeDirectory(), directoryHint: .isDirectory)
            let (place, path): (FileManager.SearchPathDirectory, String)
            switch self {
            case .home: return home
            case .documents: (place, path) = (.documentDirectory, "Documents")
            case .library: (place, path) = (.libraryDirectory, "Library")
            case .applicationSupport:
                (place, path) = (.applicationSupportDirectory, "Library/Application Support")
            case .caches: (place, path) = (.cachesDirectory, "Library/Caches")
            }
            // Foundation knows these folders, so the array is never empty.
            return FileManager.default.urls(for: place, in: .userDomainMask).first
                ?? home.appending(path: path, directoryHint: .isDirectory)
        }
    #else
        package var url: URL {
            switch self {
            case .home: Self.folder("HOME") ?? Self.folder(at: NSHomeDirectory())
            case .documents: Self.givenDocuments ?? Self.inHome("Documents")
            // Linux has no Library; the folder for data has its purpose.
            case .library, .applicationSupport:
                Self.folder("XDG_DATA_HOME") ?? Self.inHome(".local/share")
            case .caches: Self.folder("XDG_CACHE_HOME") ?? Self.inHome(".cache")
            }
        }

        /// The folder of settings.
        package static var configuration: URL { folder("XDG_CONFIG_HOME") ?? inHome(".config") }

        /// Whether Foundation takes the same folder for that of settings: without `$HOME` it is in the root folder.
        package static var isConfigurationKnownToFoundation: Bool {
            folder("XDG_CONFIG_HOME") != nil || folder("HOME") != nil
        }

        /// The folder in a variable of the environment; a relative path is ignored, as the specification says.
        private static func folder(_ variable: String) -> URL? {
            guard let path = ProcessInfo.processInfo.environment[variable], path.hasPrefix("/")
            else { return nil }
            return folder(at: path)
        }

        private static func folder(at path: String) -> URL {
            URL(filePath: path, directoryHint: .isDirectory)
        }

        private static func inHome(_ path: String) -> URL {
            home.url.appending(path: path, directoryHint: .isDirectory)
        }

        /// The folder in the last valid line `XDG_DOCUMENTS_DIR="$HOME/Papers"` of `user-dirs.dirs`; nil if there is none.
        ///
        /// The value begins with `/` or `$HOME/`, and a backslash stands before a quote, a dollar, a grave accent or a
        /// backslash in it.
        private static var givenDocuments: URL? {
            let file = configuration.appending(
                path: "user-dirs.dirs", directoryHint: .notDirectory)
            let lines = #/(?m)^[ \t]*XDG_DOCUMENTS_DIR[ \t]*=[ \t]*"((?:[^"\\\r\n]|\\.)*)"/#
                .matchingSemantics(.unicodeScalar)
            // Best effort: a file that cannot be read counts as missing, as for all programs.
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
            return text.matches(of: lines).reversed().lazy.compactMap { folder(in: $0.1) }.first
        }

        private static func folder(in value: Substring) -> URL? {
            let path = String(value.replacing(#/\\(.)/#) { $0.1 })
            if value.hasPrefix("$HOME/") { return inHome(String(path.dropFirst(6))) }
            return path.hasPrefix("/") ? folder(at: path) : nil
        }
    #endif
}
