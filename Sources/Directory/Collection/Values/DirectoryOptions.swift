public import Foundation

/// How a collection is written and read.
///
/// The `Directory` values of one index in a process share one state. Each value has its own
/// ``durability``; all other options must be equal, otherwise the second value cannot be opened,
/// and the error has the code `optionsDiffer`. Encoders and decoders are equal if they are the same
/// object, or have the same strategies, output formatting and `userInfo`, and no class of the app:
///
/// - Values in `userInfo` are compared by `==`; objects that have none are equal if they are the same object. All
///   others, such as functions, count as different.
/// - Functions of custom strategies are equal if they are the same closure in the source code, and capture nothing.
///   A strategy with a formatter can count as different.
///
/// So keep one encoder and one decoder, and give these to all collections. Do not change them later: they are not
/// copied.
public struct DirectoryOptions: Sendable {
    /// The guarantee when a change returns; `.durable` by default.
    public var durability: Durability
    /// How dates are written; as numbers by default, as `JSONEncoder` does.
    ///
    /// Both forms can always be read, so this can be changed at any time: a date gets the new form
    /// when its item is updated. A custom ``encoder`` or ``decoder`` uses its own strategy instead.
    public var dates: DateFormat
    /// The encoder of items; nil for the fastest encoder, which has the default strategies of
    /// `JSONEncoder` and keeps the order in which a type encodes its keys.
    ///
    /// The output of this encoder is checked: it must be one JSON value of at most 63 levels that
    /// the ``decoder`` can read, otherwise the change throws `unencodable`.
    public var encoder: JSONEncoder?
    /// The decoder of items; nil for the fastest decoder, which has the default strategies of
    /// `JSONDecoder` and treats an item with a repeated key as damaged.
    public var decoder: JSONDecoder?
    /// How a load treats items that cannot be decoded; `.keep` by default.
    public var damagedItems: DamagedItemPolicy
    /// The permission bits of new files, 0600 by default; the umask is ignored.
    public var filePermissions: UInt16
    /// The permission bits of new folders, 0700 by default; the umask is ignored.
    public var folderPermissions: UInt16
    /// When new files and folders can be read, on iOS, tvOS and visionOS; nil for the default of
    /// the system.
    ///
    /// Every file and folder that the library makes or moves in gets this class. Existing files
    /// keep their class until they are written anew. While the device is locked, reading a
    /// protected file fails with `deviceLocked`.
    public var dataProtection: DataProtection?
    /// Whether backups leave out the folder of the index, with everything in it.
    ///
    /// The values of a collection inside a container may differ in this: the option is meant for
    /// the folder of the container's own collection.
    ///
    /// On Apple's systems this is a resource value of the folder, elsewhere the file
    /// `CACHEDIR.TAG`, which backup tools honour (Cache Directory Tagging Specification).
    public var isExcludedFromBackup: Bool
    /// How long a change waits for another process that is changing the same index.
    ///
    /// For another thread of this process, a change waits without a limit. On iOS, tvOS and visionOS, a call on the
    /// main thread waits at most five seconds for a process or a thread, because the system ends an app whose main
    /// thread is blocked.
    public var lockTimeout: Duration
    /// How many changes `undo()` can undo, one after the other; 0 by default.
    ///
    /// Folders of containers and files of assets that these changes removed stay on disk and take up space, until
    /// `undo()` no longer needs them. Changes of tasks that share a commit are steps of their own. With a limit, a change
    /// that moves folders or files shares no commit.
    public var undoLimit: Int
    /// How long removed items can be brought back, by any process; nil, the default, keeps none.
    ///
    /// Removed items stay in the hidden folder `.removed`, with the folder of a container and the file of an asset. So
    /// do replaced files, and everything that a restoring or a merge replaces. They take up space there: see
    /// `recentlyRemoved()`. A change that removes something is then durable, even if the durability is `relaxed`.
    public var keepsRemoved: Retention?
    /// The machine that unfinished changes are marked with.
    package var machine = Machine.current
    /// How long an edit of a binding waits for later edits, to be committed together with them.
    package var editPause: Duration = .milliseconds(500)
    /// The size in bytes up to which an index is rewritten at each commit.
    package var journalThreshold = 1 << 16
    /// The size in bytes that the journal of a small index may have.
    package var journalReserve = 1 << 16
    /// The bytes of padding that a journal gets at a time.
    ///
    /// A write inside the padding is synced in two thirds of the time (ext4), because the file's
    /// size does not change.
    package var journalGrowth = 1 << 14
    /// How long a small index keeps the journal that a write to several collections has made; nil to keep it until the
    /// collection ends.
    package var journalTime: Duration? = .milliseconds(100)

    /// Creates options; the default of each option is the safest value.
    public init(
        durability: Durability = .durable,
        dates: DateFormat = .secondsSince2001,
        encoder: JSONEncoder? = nil,
        decoder: JSONDecoder? = nil,
        damagedItems: DamagedItemPolicy = .keep,
        filePermissions: UInt16 = 0o600,
        folderPermissions: UInt16 = 0o700,
        dataProtection: DataProtection? = nil,
        isExcludedFromBackup: Bool = false,
        lockTimeout: Duration = .seconds(30),
        undoLimit: Int = 0,
        keepsRemoved: Retention? = nil
    ) {
        self.durability = durability
        self.dates = dates
        self.encoder = encoder
        self.decoder = decoder
        self.damagedItems = damagedItems
        self.filePermissions = filePermissions
        self.folderPermissions = folderPermissions
        self.dataProtection = dataProtection
        self.isExcludedFromBackup = isExcludedFromBackup
        self.lockTimeout = lockTimeout
        self.undoLimit = undoLimit
        self.keepsRemoved = keepsRemoved
    }

    /// The guarantee when a change returns; later versions can add cases.
    public enum Durability: Sendable, Hashable {
        /// The change is on stable storage, with every folder that leads to it.
        case durable
        /// The change survives the end of the process. A power loss can drop the newest changes,
        /// but never one in between, and never leaves a damaged file. A change that moves files or
        /// folders is durable nevertheless.
        case relaxed
    }

    /// How long removed items can be brought back.
    public struct Retention: Sendable, Hashable {
        /// The time in seconds; 0 at least.
        let seconds: Int

        /// The time of `count` days of 24 hours; at most 100,000.
        public static func days(_ count: Int) -> Retention {
            Retention(seconds: min(max(count, 0), 100_000) * 24 * 60 * 60)
        }
    }

    /// How dates are written; later versions can add cases.
    public enum DateFormat: Sendable, Hashable {
        /// As the number of seconds since 2001-01-01 00:00 UTC.
        case secondsSince2001
        /// As text in UTC by ISO 8601 and RFC 3339, such as `2026-05-17T09:30:00Z`.
        ///
        /// A date has as many digits as are needed to read the same date again: none for whole
        /// seconds, otherwise at least three. A date before the year 0 or after the year 9999 stays
        /// a number.
        case iso8601
    }

    /// When a file can be read: Apple's classes of data protection (`FileProtectionType`).
    public enum DataProtection: Sendable, Hashable {
        /// While the device is unlocked.
        case complete
        /// While the device is unlocked, and afterwards by a process that has the file open.
        case completeUnlessOpen
        /// After the device was unlocked once since it was started.
        case completeUntilFirstUserAuthentication
        /// Always.
        case none
    }

    /// How a load treats items that cannot be decoded; later versions can add cases.
    public enum DamagedItemPolicy: Sendable, Hashable {
        /// Loads the other items, reports the damaged ones, and keeps their bytes through every
        /// rewrite.
        case keep
        /// Does not load the collection.
        case refuse
    }
}
