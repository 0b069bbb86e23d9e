public import Foundation

/// A difference between an index and the files beside it, an invalid line of the index, or something that a
/// process left unfinished.
public struct Finding: Codable, Hashable, Sendable {
    /// The kinds of findings; later versions can add more.
    public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
        /// The name of the kind, as its static member is spelled.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An item whose file is not in the assets folder.
        public static let missingAsset = Kind(rawValue: "missingAsset")
        /// A file in the assets folder that no item owns.
        public static let orphanAsset = Kind(rawValue: "orphanAsset")
        /// A folder that no item owns.
        public static let unknownFolder = Kind(rawValue: "unknownFolder")
        /// Something else than a visible file in the assets folder, such as a link, or a file in the
        /// folder of a container that is of no collection.
        public static let unknownFile = Kind(rawValue: "unknownFile")
        /// What a sync engine made of the index, its journal or its lock file, because two devices had changed
        /// it: one version has the name, the other is this file.
        public static let conflictCopy = Kind(rawValue: "conflictCopy")
        /// A folder that a sync engine shares with other devices, whose changes no lock keeps apart.
        public static let syncedFolder = Kind(rawValue: "syncedFolder")
        /// An item whose folder or file name is invalid, or is that of an earlier item.
        ///
        /// The item owns no folder and no file until somebody renames it.
        public static let unusableName = Kind(rawValue: "unusableName")
        /// An element of the index with the id of an earlier one.
        public static let duplicateID = Kind(rawValue: "duplicateID")
        /// An element of the index that cannot be decoded.
        public static let undecodableItem = Kind(rawValue: "undecodableItem")
        /// An index that is not one JSON array in UTF-8, or is empty although files of items are beside it.
        ///
        /// `verify()` of the collection throws this, and the next two.
        public static let damagedIndex = Kind(rawValue: "damagedIndex")
        /// An index and a journal that do not belong together: one of them was changed by others.
        public static let indexConflict = Kind(rawValue: "indexConflict")
        /// A journal that is no longer what was written to stable storage.
        public static let journalDamaged = Kind(rawValue: "journalDamaged")
        /// A change of several collections that cannot be ended, because one of them is missing, damaged or was
        /// edited; a change that another machine began and has not ended; or the folder of an item that waits,
        /// because something else has its name.
        ///
        /// If nothing was recovered first, also a change of a process that has ended: the next process
        /// that opens the collection ends or undoes it.
        public static let leftoverTransaction = Kind(rawValue: "leftoverTransaction")
        /// A stage of a process that may have ended, with the size of its files.
        ///
        /// The stage of a process that has ended for certain is removed at once, any other one a
        /// day after its last change.
        public static let leftoverStage = Kind(rawValue: "leftoverStage")
        /// Removed folders and files, with their size: those that a process kept to undo changes which may have
        /// ended, and those that could not be deleted.
        ///
        /// What a process kept that has ended for certain is removed at once, else a day after its last change of
        /// this kind. Every process that opens the collection tries again to delete what could not be deleted.
        public static let leftoverTrash = Kind(rawValue: "leftoverTrash")
        /// A temporary file or folder of a process that has ended, with its size.
        ///
        /// The next process that changes the collection removes it.
        public static let leftoverFile = Kind(rawValue: "leftoverFile")
    }

    /// What kind of finding this is.
    public let kind: Kind
    /// The path of the file or folder that it is about.
    public let path: String
    /// The finding as a sentence without its full stop.
    public let message: String
}

extension Finding: CustomStringConvertible {
    /// What was found and where, in one line.
    public var description: String { "\(message): \(path)" }
}

/// What a repair did about a finding; it never deletes data of the user.
public struct Repair: Codable, Hashable, Sendable {
    /// What was found.
    public let finding: Finding
    /// What was done about it, as a sentence without its full stop.
    public let action: String
}

extension Repair: CustomStringConvertible {
    /// What was found and what was done about it, in one line.
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
