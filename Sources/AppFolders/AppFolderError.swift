import FileSystem
public import Foundation

/// Why a folder could not be named, created, marked or purged.
///
/// Log the ``message``, and show people the `localizedDescription` and the `recoverySuggestion`.
public struct AppFolderError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure, for a program to act on.
    public let code: Code

    /// The folder or file that could not be used, if there is one.
    public let url: URL?

    /// The operation, the path, the reason and a remedy, for logs and developers.
    public let message: String

    /// The name that a folder or file was given, if that must not be its name; the URL has it escaped.
    let givenName: String?

    /// Why the system refused the operation, if that is known; then people are told.
    let refusal: SystemRefusal?

    /// The message.
    public var description: String { message }

    init(
        _ code: Code, at url: URL?, givenName: String? = nil, refusal: SystemRefusal? = nil,
        _ message: String
    ) {
        self.code = code
        self.url = url
        self.givenName = givenName
        self.refusal = refusal
        self.message = message
    }

    /// Creates the error of an operation on `url` that the system refused.
    private init(refused error: FileSystemError, at url: URL) {
        let remedy = error.remedy.map { ". \($0)" } ?? Self.remedy
        self.init(
            .system, at: url, refusal: error.refusal,
            "Cannot \(error.operation) \(url.filePath): \(error.reason)\(remedy)")
    }

    /// Advice for developers about an operation that the system refused for an unknown reason.
    private static let remedy = "; check the permissions and the volume."

    /// Creates the error of a system call that failed.
    init(_ error: FileSystemError) {
        let url = URL(filePath: error.path)
        switch error.code {
        case .notFolder, .tooManyLinks:
            self.init(
                .inTheWay, at: url,
                "Cannot \(error.operation) \(error.path): "
                    + "a file or a symbolic link is where the folder must be; move it away.")
        default: self.init(refused: error, at: url)
        }
    }

    /// Creates the error of an operation that Foundation ended with `error`.
    init(refused operation: String, at url: URL, _ error: any Error) {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        guard let call = underlying as? POSIXError else {
            let reason = (underlying ?? error).localizedDescription
            self.init(
                .system, at: url, "Cannot \(operation) \(url.filePath): \(reason)\(Self.remedy)")
            return
        }
        let code = Errno(rawValue: call.code.rawValue)
        self.init(refused: FileSystemError(operation, url.filePath, code), at: url)
    }
}

extension AppFolderError {
    /// The kind of failure, for a program to act on.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, such as `invalidName`.
        public let description: String

        /// The name of a folder is not a valid file name.
        public static let invalidName = Code(description: "invalidName")

        /// The name is that of a folder of the system, which has its own property.
        public static let reservedName = Code(description: "reservedName")

        /// The URL of a root is not the absolute URL of a file.
        public static let invalidRoot = Code(description: "invalidRoot")

        /// The app is not in this app group.
        public static let noGroup = Code(description: "noGroup")

        /// The folder is not in `tmp` or `Library/Caches`, so it must not be purged.
        public static let notPurgeable = Code(description: "notPurgeable")

        /// Other programs keep files in the folder.
        public static let shared = Code(description: "shared")

        /// The folder does not exist.
        public static let notFound = Code(description: "notFound")

        /// A file or a symbolic link is where a folder must be.
        public static let inTheWay = Code(description: "inTheWay")

        /// The system refused the operation; the message has the reason.
        public static let system = Code(description: "system")
    }
}
