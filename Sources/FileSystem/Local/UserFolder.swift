package import Foundation

/// A folder that the system gives to the user of the process; all libraries ask here.
///
/// On Apple platforms it is that of `FileManager`. On Linux it is that of the XDG Base Directory Specification, or of
/// `user-dirs.dirs` (xdg-user-dirs), in the home folder `$HOME`; if that is not set, as in many services, in the home folder
/// of the user database. Foundation has other answers there: without `$HOME`, folders in `/home` and in the root folder; with
/// another `$HOME` than in the database, some folders in the one and some in the other.
package enum UserFolder: Sendable {
    case home, documents, library, applicationSupport, caches, temporary

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
            case .temporary:
                return URL(
                    filePath: FileManager.default.temporaryDirectory.path(percentEncoded: false),
                    directoryHint: .isDirectory)
            }
            // Foundation knows these folders, so the array is never empty.
            return FileManager.default.urls(for: place, in: .userDomainMask).first
                ?? home.appending(path: path, directoryHint: .isDirectory)
        }
    #else
        package var url: URL {
            switch self {
            case .home: Self.folder("HOME") ?? Self.folder(at: Self.homeInDatabase ?? "/var/empty")
            case .documents: Self.givenDocuments ?? Self.inHome("Documents")
            // Linux has no Library; the folder for data has its purpose.
            case .library, .applicationSupport:
                Self.folder("XDG_DATA_HOME") ?? Self.inHome(".local/share")
            case .caches: Self.folder("XDG_CACHE_HOME") ?? Self.inHome(".cache")
            case .temporary:
                Self.folder(at: Self.value(of: "TMPDIR", where: { !$0.isEmpty }) ?? "/tmp")
                    .absoluteURL
            }
        }

        /// The folder of settings.
        package static var configuration: URL { folder("XDG_CONFIG_HOME") ?? inHome(".config") }

        /// Whether Foundation takes the same folder for that of settings: without `$HOME` it is in the root folder, and a
        /// path that is not UTF-8 makes it trap.
        package static var isConfigurationKnownToFoundation: Bool {
            if folder("XDG_CONFIG_HOME") != nil { return true }
            let isText = getenv("XDG_CONFIG_HOME").map { String(validatingCString: $0) != nil }
            return isText != false && folder("HOME") != nil
        }

        /// The folder in a variable of the environment; a relative path is ignored, as the specification says, and so is one
        /// that is not UTF-8, which no `URL` can have.
        private static func folder(_ variable: String) -> URL? {
            value(of: variable) { $0.hasPrefix("/") }.map(folder(at:))
        }

        private static func value(of variable: String, where isValid: (String) -> Bool) -> String? {
            getenv(variable).flatMap { String(validatingCString: $0) }.flatMap {
                isValid($0) ? $0 : nil
            }
        }

        /// The home folder of the user in the user database: getpwuid(3).
        private static var homeInDatabase: String? {
            let size = max(sysconf(CInt(_SC_GETPW_R_SIZE_MAX)), 1 << 16)
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
                var entry = passwd()
                var found: UnsafeMutablePointer<passwd>?
                guard let start = buffer.baseAddress,
                    getpwuid_r(getuid(), &entry, start, size, &found) == 0,
                    let name = found?.pointee.pw_dir, let path = String(validatingCString: name),
                    path.hasPrefix("/")
                else { return nil }
                return path
            }
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
            guard let bytes = try? Data(contentsOf: file) else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            return text.matches(of: lines).reversed().lazy.compactMap { folder(in: $0.1) }.first
        }

        private static func folder(in value: Substring) -> URL? {
            // Bytes that are not UTF-8 became the first of these, and no path has the second.
            if value.unicodeScalars.contains(where: { $0 == "\u{FFFD}" || $0 == "\0" }) {
                return nil
            }
            let path = String(value.replacing(#/\\(.)/#) { $0.1 })
            if value.hasPrefix("$HOME/") { return inHome(String(path.dropFirst(6))) }
            return path.hasPrefix("/") ? folder(at: path) : nil
        }
    #endif
}
