import FileSystem

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
        /// Items of sorted results cannot be moved: their values decide where they are.
        public static let sortedResults = Code(rawValue: "sortedResults")
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
        /// A write removes an item from one collection and adds it to another one, but its folder or file would not go
        /// with it.
        ///
        /// `transfer(_:to:_:)` moves an item with everything that it owns.
        public static let contentsLeftBehind = Code(rawValue: "contentsLeftBehind")
        /// Others changed an item or a folder that an undo or redo would change, or its files are
        /// gone.
        public static let undoConflict = Code(rawValue: "undoConflict")
        /// There is no copy to restore from, or a part of it is damaged or missing.
        ///
        /// The texts for people say what a file or folder is that is no copy, and what to do with it.
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
        /// A file or folder would have to be moved to another volume, or to another mount of the same one.
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
        /// The stage is being inserted, was inserted or discarded before, belongs to another
        /// collection, or its files could not be synced.
        public static let stageClosed = Code(rawValue: "stageClosed")
        /// The index and its journal do not belong together, because another program changed one of
        /// them.
        ///
        /// Both stay as they are until `resolveConflict(keeping:)` is called.
        public static let indexConflict = Code(rawValue: "indexConflict")
        /// The journal of the index has other bytes than were written to stable storage.
        public static let journalDamaged = Code(rawValue: "journalDamaged")
        /// The journal of the index is gone, or an earlier one is in its place.
        ///
        /// If this process has read newer changes from it, the items in memory still have these, and `repair()` writes
        /// them. Else the index says that it had a journal: it was left behind, perhaps by a copy without hidden files,
        /// and `repair()` accepts the index without its newest changes.
        public static let journalMissing = Code(rawValue: "journalMissing")
        /// A sync failed after the change was in place and could not be rolled back, or a write to several
        /// collections could be neither completed nor undone, so the state on disk is unknown.
        public static let inDoubt = Code(rawValue: "inDoubt")
        /// A process died during a write to this collection and others, and one of them was moved or changed since; or
        /// another version of the library began the change; or the process was moving what is needed, and nothing can be
        /// written there.
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
    }
}

extension DirectoryError.Code {
    /// Whether the files of an index are damaged, or do not belong together.
    var isDamage: Bool {
        [.damagedIndex, .indexConflict, .journalDamaged, .journalMissing].contains(self)
    }

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
