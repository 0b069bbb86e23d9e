import FileSystem
public import Foundation

/// An error of a collection on disk: the operation, the path, the reason and the remedy.
///
/// When a call throws this error, nothing is lost and no change is half done, unless the code is
/// ``Code/inDoubt`` or the call is `repair()`. Test the code, log the message, and show people the
/// localized description and the recovery suggestion, which have no paths, ids or types:
///
///     do {
///         try projects.append(project)
///     } catch let error as DirectoryError where error.code == .nameTaken {
///         logger.error("\(error.message)")
///         alert(error.localizedDescription, error.recoverySuggestion)
///     }
public struct DirectoryError: Error, Sendable {
    /// The kind of the error.
    public let code: Code
    /// The operation that failed, as a verb phrase: "add to".
    public let operation: String
    /// The file or folder that the error is about.
    public let url: URL
    /// The reason, for developers: a sentence without its full stop, and without paths.
    public let reason: String
    /// The error that caused this one; nil if there is none.
    public let underlying: (any Error)?
    /// More text for logs; it can have paths.
    let detail: String?
    /// Advice for developers.
    let remedy: String?
    /// The texts for people, if they differ from those for developers.
    var wording: Wording

    /// `remedy` replaces the advice that all errors with the code have.
    init(
        _ code: Code, _ operation: String, _ url: URL, _ reason: String,
        underlying: (any Error)? = nil, detail: String? = nil, remedy: String? = nil,
        people wording: Wording = Wording()
    ) {
        self.code = code
        self.operation = operation
        self.url = url
        self.reason = Self.withoutFullStop(reason)
        self.underlying = underlying
        self.detail = detail
        self.remedy = remedy ?? code.remedy
        self.wording = wording
        // The remedy of this error is better than the advice of its code.
        self.wording.remedy = wording.remedy ?? remedy ?? code.advice
        self.wording.reason = wording.reason.map(Self.withoutFullStop)
    }

    /// Reasons can end with a text of Foundation, which has a full stop.
    private static func withoutFullStop(_ reason: String) -> String {
        reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    }

    /// The operation, the path, the reason, and the remedy if there is one, in one line, for logs and
    /// developers.
    public var message: String {
        let cause = (underlying as? FileSystemError).map { " (\($0))" } ?? ""
        let detail = detail.map { " (\($0))" } ?? ""
        let path = url.path(percentEncoded: false)
        let remedy = remedy.map { ". \($0)" } ?? ""
        return "cannot \(operation) \(path): \(reason)\(detail)\(cause)\(remedy)"
    }
}

extension DirectoryError: CustomStringConvertible {
    /// The same as ``message``.
    public var description: String { message }
}

extension DirectoryError {
    /// The kinds of errors; later versions can add more.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, as its static member is spelled.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the code.
        public var description: String { rawValue }

        /// The URL is not an absolute file URL, or the index name cannot be used.
        public static let invalidLocation = Code(rawValue: "invalidLocation")
        /// A folder or file name is not one valid, visible path component, or a folder name ends in
        /// `.recovered`.
        public static let invalidName = Code(rawValue: "invalidName")
        /// Another item, another collection in the folder, or an unknown file already has the name.
        public static let nameTaken = Code(rawValue: "nameTaken")
        /// The collection already holds an item with this id.
        public static let duplicateID = Code(rawValue: "duplicateID")
        /// The id of an item does not equal itself, as NaN does not, so nothing could find the item.
        public static let invalidID = Code(rawValue: "invalidID")
        /// Others changed the item while a binding or a draft of it was edited; their change stays.
        public static let itemChanged = Code(rawValue: "itemChanged")
        /// The collection holds no item with this id.
        public static let itemNotFound = Code(rawValue: "itemNotFound")
        /// A position is outside the collection.
        public static let indexOutOfRange = Code(rawValue: "indexOutOfRange")
        /// The index is not one JSON array in UTF-8, or is empty although files of items are
        /// beside it.
        public static let damagedIndex = Code(rawValue: "damagedIndex")
        /// Items in the index cannot be decoded as this type, or a change would leave only such
        /// items.
        public static let undecodable = Code(rawValue: "undecodable")
        /// An item cannot be encoded as JSON of at most 63 levels of nesting, or the decoder of the
        /// options cannot read the output of their encoder.
        public static let unencodable = Code(rawValue: "unencodable")
        /// The container that a child collection belongs to was removed.
        public static let containerRemoved = Code(rawValue: "containerRemoved")
        /// The file of an asset is missing.
        public static let assetMissing = Code(rawValue: "assetMissing")
        /// A source to import is missing.
        public static let sourceMissing = Code(rawValue: "sourceMissing")
        /// The bytes of a file are only in a cloud, such as iCloud Drive.
        public static let notDownloaded = Code(rawValue: "notDownloaded")
        /// A source to import is not a regular file.
        public static let sourceNotFile = Code(rawValue: "sourceNotFile")
        /// The file to move belongs to an item of a collection, which would lose it.
        public static let sourceOwned = Code(rawValue: "sourceOwned")
        /// Others changed an item or a folder that an undo or redo would change, or its files are
        /// gone.
        public static let undoConflict = Code(rawValue: "undoConflict")
        /// There is no copy to restore from, or a part of it is damaged or missing.
        public static let damagedCopy = Code(rawValue: "damagedCopy")
        /// The index is open in this process already, with other options.
        public static let optionsDiffer = Code(rawValue: "optionsDiffer")
        /// The system denies access.
        public static let accessDenied = Code(rawValue: "accessDenied")
        /// The device is locked, and the file is protected until it is unlocked.
        ///
        /// Nothing is missing or damaged. Try again when `protectedDataDidBecomeAvailable` is posted.
        public static let deviceLocked = Code(rawValue: "deviceLocked")
        /// The volume or the quota is full.
        public static let noSpace = Code(rawValue: "noSpace")
        /// The volume is read-only.
        public static let readOnly = Code(rawValue: "readOnly")
        /// The two collections are on different volumes.
        public static let crossVolume = Code(rawValue: "crossVolume")
        /// Another process or thread held a lock for longer than the lock timeout.
        public static let locked = Code(rawValue: "locked")
        /// The system is suspending the app, which must not hold a lock then.
        public static let suspended = Code(rawValue: "suspended")
        /// Code inside a change or a load began a change, or a load of the same collection.
        ///
        /// Such code is a closure, or the `init(from:)`, `encode(to:)` or names of an item.
        public static let nestedWrite = Code(rawValue: "nestedWrite")
        /// The collection was closed by `close()`.
        public static let closed = Code(rawValue: "closed")
        /// The import, the copy, the restoring, the merge or the verification was cancelled; nothing was changed.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The stage is being inserted, was inserted or discarded before, or belongs to another
        /// collection.
        public static let stageClosed = Code(rawValue: "stageClosed")
        /// The index and its journal do not belong together, because another program changed one of
        /// them.
        ///
        /// Both stay as they are until `resolveConflict(keeping:)` is called.
        public static let indexConflict = Code(rawValue: "indexConflict")
        /// The journal of the index has other bytes than were written to stable storage.
        public static let journalDamaged = Code(rawValue: "journalDamaged")
        /// A sync failed after the change was in place and could not be rolled back, or a write to several
        /// collections could be neither completed nor undone, so the state on disk is unknown.
        public static let inDoubt = Code(rawValue: "inDoubt")
        /// A process died during a write to this collection and others, and one of them was moved or changed since; or
        /// another version of the library began the change.
        ///
        /// The collection can be read. It cannot be changed until all of them are as the write left them, or until
        /// `repair()` has set the write aside.
        public static let unfinishedChange = Code(rawValue: "unfinishedChange")
        /// The system reports no changes of other processes.
        ///
        /// Its limits are reached, or the volume is a network drive. ``Directory/watch(onError:)`` then looks for
        /// changes once a second.
        public static let unwatchable = Code(rawValue: "unwatchable")
        /// Any other failure of a system call; `underlying` has its error number.
        public static let ioFailure = Code(rawValue: "ioFailure")

        var remedy: String? { Self.remedies[self] }

        private static let remedies: [Code: String] = [
            .invalidLocation: "Give a file URL and an index name such as projects.json.",
            .invalidName:
                "Use a name of 1 to 255 bytes (a folder 249), without slash, NUL, a dot at the "
                + "beginning or .recovered at the end; safeFolderName() makes one of any text.",
            .nameTaken: "Choose another name, or move the file or folder that has it.",
            .duplicateID: "Update the item, or give the new one another id.",
            .invalidID: "Give the item an id that equals itself, such as a UUID.",
            .itemChanged: "Show the item as it is now, and edit it again.",
            .itemNotFound: "Load the collection and check the id.",
            .indexOutOfRange: "Use a position from 0 to the count.",
            .damagedIndex: "The file was left as it is; restore it, or repair it by hand.",
            .undecodable:
                "The file was left as it is; open it as the type that wrote it, or repair it.",
            .unencodable:
                "Check what the item's encode(to:) does, and that the decoder of the options fits "
                + "the encoder.",
            .containerRemoved: "Release this collection; its container no longer exists.",
            .assetMissing: "Import the file, so that it comes with its item.",
            .sourceMissing: "Check the path.",
            .notDownloaded:
                "Download the file first, with startDownloadingUbiquitousItem(at:) or a coordinated read.",
            .sourceNotFile: "Import regular files only.",
            .sourceOwned: "Import a copy, or transfer the item.",
            .undoConflict: "Show the items as they are now, and change them again.",
            .damagedCopy: "Restore from another copy.",
            .optionsDiffer: "Open the index with the same options everywhere in the process.",
            .accessDenied: "Check the permissions.",
            .deviceLocked: "Try again when the device is unlocked.",
            .noSpace:
                "Free some space and try again; removeUndoHistory() frees what undo keeps.",
            .readOnly: "Use a volume that can be written to.",
            .crossVolume: "Export the items and import them on the other volume.",
            .locked: "Try again when the other change is done.",
            .suspended: "Try again when the app is active.",
            .nestedWrite: "Finish one change before you begin the next, or make both in one write.",
            .closed: "Open the collection again, as a new value.",
            .cancelled: "Nothing was changed.",
            .stageClosed: "Make a new stage.",
            .indexConflict: "Restore the index, or choose with resolveConflict(keeping:).",
            .journalDamaged: "The files were left as they are; restore them from a backup.",
            .unwatchable:
                "Nothing has to be done; to see changes at once, raise the limit of inotify watches "
                + "or open files, or use a local volume.",
            .inDoubt:
                "Release all values of the collection, then open it again to see what is on disk.",
            .unfinishedChange:
                "Put both folders where they were, or call repair() on the collection that this is about.",
        ]
    }
}

extension DirectoryError.Code {
    /// The code of any error; `ioFailure` for an error of neither a collection nor the file system.
    init(of error: any Error) {
        switch error {
        case let error as DirectoryError: self = error.code
        case let error as FileSystemError: self.init(of: error)
        default: self = .ioFailure
        }
    }

    private init(of error: FileSystemError) {
        self =
            switch error.code {
            case .notPermitted where LockedDevice.canRefuse(error): .deviceLocked
            case .accessDenied, .notPermitted: .accessDenied
            case .noSpace, .quotaExceeded: .noSpace
            case .readOnly: .readOnly
            case .fileExists: .nameTaken
            case .crossDevice: .crossVolume
            case .deadlock: .notDownloaded
            default: .ioFailure
            }
    }
}

extension DirectoryError {
    /// Describes `error` as a failure of `operation` on `url`.
    init(_ error: FileSystemError, _ operation: String, _ url: URL) {
        let code = Code(of: error)
        self.init(
            code, operation, url, error.code.reason, underlying: error,
            people: Wording(usual: code))
    }

    /// The error of a URL that cannot be the URL of a folder.
    static func noFolder(_ operation: String, _ url: URL) -> DirectoryError {
        DirectoryError(
            .invalidLocation, operation, url, "it is not the absolute URL of a folder",
            remedy: "Give the absolute URL of a folder, as URL(filePath:) makes one.",
            people: Wording(remedy: Code.invalidLocation.advice))
    }

    /// The result of `body`, with the errors of the file system described as `operation` on `url`.
    static func describing<Result>(
        _ operation: String, _ url: @autoclosure () -> URL, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as FileSystemError {
            throw DirectoryError(error, operation, url())
        }
    }
}
