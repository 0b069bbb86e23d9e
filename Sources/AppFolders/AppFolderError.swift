import FileSystem
public import Foundation

/// Why a folder could not be named, created, marked or purged.
public struct AppFolderError: Error, Hashable, CustomStringConvertible {
    /// What went wrong, for a program to act on.
    public let code: Code

    /// The folder or file concerned, if the failure is about one.
    public let url: URL?

    /// The operation, the path, the reason and the remedy, for a person to read.
    public let message: String

    /// The message.
    public var description: String { message }

    init(_ code: Code, at url: URL?, _ message: String) {
        self.code = code
        self.url = url
        self.message = message
    }

    /// The system refused an operation for `reason`.
    init(refused operation: String, at url: URL, _ reason: String) {
        self.init(
            .system, at: url,
            "Cannot \(operation) \(url.filePath): \(reason); "
                + "check the permissions and the volume.")
    }

    /// A system call failed.
    init(_ error: FileSystemError) {
        let url = URL(filePath: error.path)
        switch error.code {
        case .notFolder, .tooManyLinks:
            self.init(
                .inTheWay, at: url,
                "Cannot \(error.operation) \(error.path): "
                    + "a file or symbolic link is where the folder must be; move it away.")
        default: self.init(refused: error.operation, at: url, error.code.reason)
        }
    }

    /// Foundation refused an operation; `error` has the reason.
    init(refused operation: String, at url: URL, _ error: any Error) {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        self.init(refused: operation, at: url, (underlying ?? error).localizedDescription)
    }
}

extension AppFolderError {
    /// What went wrong, for a program to act on.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, such as `invalidName`.
        public let description: String

        /// The name of a folder is not one valid file name.
        public static let invalidName = Code(description: "invalidName")

        /// The name belongs to a folder of the system, which has a property of its own.
        public static let reservedName = Code(description: "reservedName")

        /// The URL of a root is not the absolute URL of a file.
        public static let invalidRoot = Code(description: "invalidRoot")

        /// The app belongs to no such app group.
        public static let noGroup = Code(description: "noGroup")

        /// Purging is only for folders in `tmp` and `Library/Caches`.
        public static let notPurgeable = Code(description: "notPurgeable")

        /// The folder holds files of other programs.
        public static let shared = Code(description: "shared")

        /// The folder does not exist.
        public static let notFound = Code(description: "notFound")

        /// A file or a symbolic link is where a folder must be.
        public static let inTheWay = Code(description: "inTheWay")

        /// The system refused; the message has its reason.
        public static let system = Code(description: "system")
    }
}
