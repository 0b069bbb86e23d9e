public import Foundation

/// A difference between an index and the files beside it, an invalid line of the index, or an unfinished change or
/// leftover file of a process.
public struct Finding: Codable, Hashable, Sendable {
    /// The kinds of findings; later versions can add more.
    public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
        /// The name of the kind, as its static member is spelled.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An item without its file in the assets folder.
        public static let missingAsset = Kind(rawValue: "missingAsset")
        /// A file in the assets folder that no item owns.
        public static let orphanAsset = Kind(rawValue: "orphanAsset")
        /// A folder that no item owns.
        public static let unknownFolder = Kind(rawValue: "unknownFolder")
        /// An unexpected file: in the assets folder, a hidden file, a folder or a link; in the
        /// folder of a container, a file that belongs to no collection.
        public static let unknownFile = Kind(rawValue: "unknownFile")
        /// A conflict copy of a sync engine, because two devices had changed the index, its journal or its lock file:
        /// one version has the name, the other is this file.
        public static let conflictCopy = Kind(rawValue: "conflictCopy")
        /// A folder that a sync engine shares with other devices; no lock reaches their changes.
        public static let syncedFolder = Kind(rawValue: "syncedFolder")
        /// An item whose folder or file name is invalid, or belongs to an earlier item.
        ///
        /// The item owns no folder and no file until it is renamed.
        public static let unusableName = Kind(rawValue: "unusableName")
        /// An element of the index with the id of an earlier one.
        public static let duplicateID = Kind(rawValue: "duplicateID")
        /// An element of the index that cannot be decoded.
        public static let undecodableItem = Kind(rawValue: "undecodableItem")
        /// An index that is not one JSON array in UTF-8, or is empty although files of items are beside it.
        ///
        /// `verify()` of the collection throws this code, ``indexConflict``, ``journalDamaged`` and ``journalMissing``
        /// instead.
        public static let damagedIndex = Kind(rawValue: "damagedIndex")
        /// An index and a journal that do not belong together, because another program changed one
        /// of them.
        public static let indexConflict = Kind(rawValue: "indexConflict")
        /// A journal that has other bytes than were written to stable storage.
        public static let journalDamaged = Kind(rawValue: "journalDamaged")
        /// A journal that is gone, or an earlier one: this process has read newer changes from it, or the index says that
        /// it had one.
        public static let journalMissing = Kind(rawValue: "journalMissing")
        /// An unfinished change: of several collections, one of which is missing, damaged or was edited; of another
        /// machine; or a folder of an item that waits because something else has its name.
        ///
        /// `verify(below:)`, which recovers nothing, also finds changes of dead processes: the next process that opens
        /// the collection completes or undoes them.
        public static let leftoverTransaction = Kind(rawValue: "leftoverTransaction")
        /// A stage of a process that may have ended, with the size of its files.
        ///
        /// The stage of a process that is certainly dead is removed at once, any other one a day
        /// after its last change.
        public static let leftoverStage = Kind(rawValue: "leftoverStage")
        /// Removed folders and files, with their size: kept for an undo by a process that may have died, or impossible
        /// to delete, or removed recently with a record that cannot be read.
        ///
        /// Files kept by a process that is certainly dead are removed at once, others a day after its last change of
        /// this kind. Every process that opens the collection tries again to delete the files that could not be
        /// deleted. Those whose record cannot be read stay.
        public static let leftoverTrash = Kind(rawValue: "leftoverTrash")
        /// A temporary file or folder of a dead process, with its size.
        ///
        /// The next process that changes the collection removes it.
        public static let leftoverFile = Kind(rawValue: "leftoverFile")
        /// A file or folder of a copy that is no part of the collection, so that a restoring or a merge did not use it.
        ///
        /// No verification finds it.
        public static let unusedFile = Kind(rawValue: "unusedFile")

        /// The kinds that say that something is damaged or missing; a copy with one of them is not restored.
        static let damage: Set<Self> = [
            .missingAsset, .unusableName, .duplicateID, .undecodableItem, .damagedIndex,
            .indexConflict, .journalDamaged, .journalMissing, .leftoverTransaction,
        ]
    }

    /// The kind of the finding.
    public let kind: Kind
    /// The path of the file or folder that the finding is about.
    public let path: String
    /// The finding as a sentence without its full stop.
    public let message: String
}

extension Finding {
    init(_ kind: Kind, _ url: URL, _ message: String) {
        self.init(kind: kind, path: url.path(percentEncoded: false), message: message)
    }
}

extension Finding: CustomStringConvertible {
    /// The message and the path, in one line.
    public var description: String { "\(message): \(path)" }
}

/// A finding and its repair; a repair never deletes data of the user.
public struct Repair: Codable, Hashable, Sendable {
    /// The repaired finding.
    public let finding: Finding
    /// The repair, as a sentence without its full stop.
    public let action: String
}

extension Repair: CustomStringConvertible {
    /// The finding and its repair, in one line.
    public var description: String { "\(finding); \(action)" }
}

/// A file in the assets folder that no item owns.
public struct OrphanAsset: Hashable, Sendable {
    /// The file.
    public let url: URL
    /// The name that an item must have as its `fileName` to own the file.
    public let fileName: String
    /// The size in bytes.
    public let byteCount: Int
    /// When the file was last changed.
    public let date: Date
}
