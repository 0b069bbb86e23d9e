public import Foundation

/// How a collection is written and read.
///
/// The handles of one index in a process share one live core. Each handle has its own
/// ``durability``; everything else is as the handle that opened the index first says.
public struct DirectoryOptions: Sendable {
    /// What holds when a change returns; `.durable` unless told otherwise.
    public var durability: Durability
    /// The encoder of items; nil for the fastest, which has the default strategies of
    /// `JSONEncoder` and keeps the order of the keys in which a type encodes them.
    public var encoder: JSONEncoder?
    /// The decoder of items; nil for the fastest, which has the default strategies of
    /// `JSONDecoder` and takes an item with the same key twice for damaged.
    public var decoder: JSONDecoder?
    /// What to do with items that cannot be decoded; `.keep` unless told otherwise.
    public var damagedItems: DamagedItemPolicy
    /// The permission bits of new files, 0600 unless told otherwise; the umask has no say.
    public var filePermissions: UInt16
    /// The permission bits of new folders, 0700 unless told otherwise; the umask has no say.
    public var folderPermissions: UInt16
    /// Whether backups leave out the folder of the index, with all that lies in it.
    ///
    /// On Apple this is a resource value of the folder, elsewhere the file `CACHEDIR.TAG`, which
    /// backup tools honour (Cache Directory Tagging Specification).
    public var isExcludedFromBackup: Bool
    /// How long a change waits for another process that is changing the same index.
    public var lockTimeout: Duration
    /// The size in bytes up to which an index is rewritten at each commit.
    package var journalThreshold = 1 << 16
    /// The size in bytes that the journal of a small index may have.
    package var journalReserve = 1 << 16
    /// By how many bytes a journal grows at a time: a write into a file that does not grow is
    /// synced in two thirds of the time (ext4), because the file system has nothing to note.
    package var journalGrowth = 1 << 14

    /// Creates options; what is not given has the safest value.
    public init(
        durability: Durability = .durable,
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder? = nil,
        damagedItems: DamagedItemPolicy = .keep,
        filePermissions: UInt16 = 0o600,
        folderPermissions: UInt16 = 0o700,
        isExcludedFromBackup: Bool = false,
        lockTimeout: Duration = .seconds(30)
    ) {
        self.durability = durability
        self.encoder = encoder
        self.decoder = decoder
        self.damagedItems = damagedItems
        self.filePermissions = filePermissions
        self.folderPermissions = folderPermissions
        self.isExcludedFromBackup = isExcludedFromBackup
        self.lockTimeout = lockTimeout
    }

    /// What holds when a change returns; later versions can add cases.
    public enum Durability: Sendable, Hashable {
        /// The change is on stable storage, with every folder that leads to it.
        case durable
        /// The change survives the end of the process; power loss may undo the newest changes,
        /// but never their order, and never leaves a damaged file.
        case relaxed
    }

    /// What to do with items that cannot be decoded; later versions can add cases.
    public enum DamagedItemPolicy: Sendable, Hashable {
        /// Load the others, report these, and keep their bytes through every rewrite.
        case keep
        /// Refuse to load the collection.
        case refuse
    }
}
