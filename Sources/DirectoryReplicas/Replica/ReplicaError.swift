public import Foundation

/// An error of a replica: the file or folder, and the reason.
///
/// An error of a collection is a `DirectoryError`, which the methods of ``Replica`` throw unchanged.
/// Log the ``description``, and show people the `localizedDescription` and the `recoverySuggestion`.
public struct ReplicaError: Error, Sendable {
    /// The kind of the error.
    public let code: Code
    /// The file or folder that the error is about; the index of the collection if the folder of that is at fault.
    public let url: URL
    /// The reason, and what to do about it, for developers: a sentence without its full stop.
    public let reason: String
    /// The error that caused this one, if there is one.
    public let underlying: (any Error)?

    init(_ code: Code, _ url: URL, _ reason: String, underlying: (any Error)? = nil) {
        (self.code, self.url, self.reason, self.underlying) = (code, url, reason, underlying)
    }

    /// The kinds of errors; later versions can add more.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code, as its static member is spelled.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The ids of items are not unique everywhere: they are neither UUIDs nor text.
        public static let unsupportedID = Code(rawValue: "unsupportedID")
        /// The folder name of a container is neither its id nor a stored property, so that two containers that get
        /// the same name on two devices could not both be shown.
        public static let fixedFolderName = Code(rawValue: "fixedFolderName")
        /// The shared folder is a file or below one, or it is in the folder of the collection, or the other way round.
        public static let invalidLocation = Code(rawValue: "invalidLocation")
        /// Other devices could not read an item: its id or one of its names is empty or longer than 4,096 bytes, one of its
        /// values has more than 15 MiB or more than 48 levels, or its file has more than 64 GiB.
        public static let unsupportedItem = Code(rawValue: "unsupportedItem")
        /// Two items with one id are in two collections of the same kind.
        public static let duplicateID = Code(rawValue: "duplicateID")
        /// The shared folder is missing or empty, although it was used before: it may be on a volume that is not
        /// mounted.
        public static let folderMissing = Code(rawValue: "folderMissing")
        /// The folder belongs to a network of other devices, with which the collection was never synced.
        public static let otherNetwork = Code(rawValue: "otherNetwork")
        /// The folder belongs to something else.
        public static let notAReplica = Code(rawValue: "notAReplica")
        /// A later version of this library wrote the files in the folder.
        public static let newerFormat = Code(rawValue: "newerFormat")
        /// The conflict, the device or the held removal that a call names is not there any longer.
        public static let notFound = Code(rawValue: "notFound")
        /// Another process or thread uses the replica just now.
        public static let busy = Code(rawValue: "busy")
        /// The replica was left, and cannot be used any longer.
        public static let left = Code(rawValue: "left")
        /// A system call failed; `underlying` has its error number.
        public static let ioFailure = Code(rawValue: "ioFailure")
    }
}

extension ReplicaError: CustomStringConvertible {
    /// The folder and the reason, in one line, for logs and developers.
    public var description: String {
        let cause = underlying.map { " (\($0))" } ?? ""
        return "\(code.rawValue) at \(url.path(percentEncoded: false)): \(reason)\(cause)"
    }
}
