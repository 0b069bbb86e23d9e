import FileSystem
import Synchronization

/// The file system, the names and the options of one index.
///
/// A class, so that handing it on costs one reference.
final class IndexStore: Sendable {
    /// The bytes of an index without items.
    static let emptyIndex = Array("[]\n".utf8)

    let fileSystem: any FileSystem
    let names: IndexNames
    let options: DirectoryOptions
    /// Whether no other process can see the folder yet; then only the files of assets are synced before all of it is made.
    let isUnseen: Bool
    /// The volume in memory that the collection was opened in, if any.
    let volume: MemoryVolume?
    /// The journal, while it stays open between commits.
    let journalFile: OpenFileCache
    /// The lock file, while it stays open between commits and is not locked.
    let lockFile: OpenFileCache
    /// The folder of the index, while it stays open between commits.
    let folder: OpenFileCache
    /// The folders beside the index whose names are known to be on stable storage.
    private let syncedFolders = Mutex<[FileName: FileIdentity]>([:])
    private let synced = Mutex<FileStatus?>(nil)
    private let onlyLock = Mutex<FileIdentity?>(nil)

    init(
        fileSystem: any FileSystem, names: IndexNames, options: DirectoryOptions,
        isUnseen: Bool = false, volume: MemoryVolume? = nil,
        openFiles: OpenFileCache.Group = .ofProcess
    ) {
        self.fileSystem = fileSystem
        self.names = names
        self.options = options
        self.isUnseen = isUnseen
        self.volume = volume
        journalFile = OpenFileCache(in: openFiles)
        lockFile = OpenFileCache(in: openFiles)
        folder = OpenFileCache(in: openFiles)
    }

    func syncedFolder(_ name: FileName) -> FileIdentity? { syncedFolders.withLock { $0[name] } }

    func setSyncedFolder(_ name: FileName, _ identity: FileIdentity) {
        syncedFolders.withLock { $0[name] = identity }
    }

    /// The status of the folder before it was synced: as long as it has this status, all names in it are durable.
    var syncedStatus: FileStatus? {
        get { synced.withLock { $0 } }
        set { synced.withLock { $0 = newValue } }
    }

    /// The lock file, if it was the only one when the folder was listed last (``IndexLock/others``).
    var onlyLockFile: FileIdentity? {
        get { onlyLock.withLock { $0 } }
        set { onlyLock.withLock { $0 = newValue } }
    }

    /// The store of another index, whose type of items is not known, with the same file system and options.
    func ofUnknownType(_ names: IndexNames) -> IndexStore {
        var options = options
        (options.encoder, options.decoder) = (nil, nil)
        return IndexStore(fileSystem: fileSystem, names: names, options: options)
    }
}
