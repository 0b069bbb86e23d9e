import Directory
import FileSystem
import Foundation

/// The knowledge of a replica between two calls, and the work of a sync.
///
/// Everything is read from disk again if a call has failed, or if another process has synced meanwhile.
struct Session: Sendable {
    let root: Root
    let folder: URL
    let sharedDisk: any FileSystem
    let options: ReplicaOptions
    let environment: ReplicaEnvironment
    /// The bindings by their kinds.
    let kinds: [String: Binding]
    /// The kinds, those of containers before those of the items in them.
    let kindsFromTop: [String]

    /// The local state, if it is loaded.
    var known: LocalState
    var isLoaded = false
    /// Whether the next sync has to check that the store was not set back before the local state was loaded.
    var mayBeSetBack = false
    /// The containers of items that are at another place than in the base, while they are published.
    var places: [ItemReference: ItemKey] = [:]
    /// The version of the file of the local state.
    var version: LocalVersion?
    /// In bytes: the size of that file when it was last written as a whole; 0 if another process did that.
    var sizeWhenSaved = 0
    /// The lines of the root that the base was made of.
    var rootLines: RootLines?
    /// The marks of collections from when they were last compared.
    var marks: [CollectionReference: CollectionMark] = [:]
    /// The collections that could not be read when they were last compared: nothing in them changes, here or elsewhere.
    var unreadable: [CollectionReference: DirectoryError] = [:]
    /// The items whose files were missing when the collections were last compared.
    var withoutFile: Set<ItemReference> = []
    /// The files with changes that wait for others.
    var waiting = WaitingFiles()
    /// The files that cannot be used.
    var useless: [FoundFile: UselessFile] = [:]
    /// What other devices asked for in the files that were read.
    var requests: [DeviceID: KnownRequest] = [:]
    /// The segments whose requests are answered by states that were read or written.
    var answers = VersionVector()
    /// The items that may have to be shown in another way.
    var unsettled: Set<ItemReference> = []
    /// The files of items in the shared folder that are of no use now.
    var uselessAssets = UselessAssets()
    /// The removals that a person has allowed.
    var released: Set<ItemReference> = []
    /// When the files in the shared folder were last checked, in milliseconds since 1970.
    var lastCheck: Int?
    /// Ends the call that runs now; checked wherever an error of the file system could end it too.
    var cancellation = Cancellation()
    /// Whether ``leave()`` has ended the replica.
    var hasLeft = false
    var notes = SyncNotes()

    init(
        root: Root, folder: URL, on sharedDisk: any FileSystem, options: ReplicaOptions,
        environment: ReplicaEnvironment
    ) {
        (self.root, self.folder, self.sharedDisk) = (root, folder, sharedDisk)
        (self.options, self.environment) = (options, environment)
        var kinds: [String: Binding] = [:]
        func add(_ binding: Binding) {
            kinds[binding.kind] = binding
            binding.children.forEach(add)
        }
        add(root.binding)
        self.kinds = kinds
        known = LocalState(device: DeviceID(high: 0, low: 0), environment.rules)
        kindsFromTop = kinds.keys.sorted {
            ($0.count { $0 == "/" }, $0) < ($1.count { $0 == "/" }, $1)
        }
    }

    /// Forgets everything that is also on disk, but not what the last call has found out and people see.
    mutating func forget() {
        known = LocalState(device: DeviceID(high: 0, low: 0), environment.rules)
        (isLoaded, version, rootLines, lastCheck) = (false, nil, nil, nil)
        (marks, waiting, unsettled, withoutFile) = ([:], .init(), [], [])
    }
}

/// What a sync found, for people: the items and files that wait or are unusable, the conflicts and the devices.
struct SyncNotes: Sendable {
    var pending: [PendingNote] = []
    var unreadable: [ItemReference] = []
    var skipped: [SkippedSegment] = []
    /// The items whose files the last sync needed for others, but could not read.
    var unreadAssets: [ItemReference: UnreadAsset] = [:]
    /// The same, of the last check of all assets.
    var unsentAssets: [ItemReference: UnreadAsset] = [:]
    /// The devices whose segments are waited for, and the number of the first one that is missing.
    var missing: [DeviceID: Int] = [:]
    /// The removals that wait for a person.
    var held: Set<ItemReference> = []
    var conflicts: [ConflictNote] = []
    var devices: [Replica.Device] = []

    struct PendingNote: Sendable {
        var item: ItemReference
        var file: FileValue
    }
}

/// The files and folders that are open during one call.
struct OpenReplica {
    let files: LocalFiles
    let identity: Identity
    let shared: SharedFolder

    /// Where files are written before they get their names in the shared folder; nil if that is another file system.
    var temporary: Handle? {
        files.disk is LocalFileSystem && shared.disk is LocalFileSystem ? files.folder : nil
    }
}

extension Session {
    /// Publishes the changes of this device, and imports those that have arrived.
    mutating func sync() throws -> SyncReport {
        try open { session, open in
            var report = SyncReport()
            try session.begin(open, &report)
            for round in 0..<10 {
                do {
                    try session.cancellation.check()
                    try session.publish(open, &report)
                    report.imported += try session.importChanges(open)
                    break
                } catch is ChangedMeanwhile where round < 9 {}
            }
            try session.cancellation.check()
            try session.maintain(open)
            report.pending = session.notes.pending.count
            report.held = session.notes.held.count
            report.conflicts = session.conflicts().count
            return report
        }
    }

    /// Publishes the changes of this device, and joins those that have arrived: every sync begins so.
    mutating func begin(_ open: OpenReplica, _ report: inout SyncReport) throws {
        try sendFilesOfFormerDevice(open)
        try sendOutgoing(open)
        if mayBeSetBack { try takeNewIdentityIfOthersKnowMore(open) }
        mayBeSetBack = false
        // A process may have died after it committed an import, and before it recorded that. The state must still be that
        // of the import, or the values of others would look like changes that were made here.
        try publish(open, &report)
        try join(open)
        try takeNewIdentityIfNeeded(open)
    }

    private mutating func noteKnown() {
        notes.conflicts = conflicts()
        notes.devices = Replica.Device.all(
            in: known.state, this: known.device, now: environment.now())
    }

    /// Calls `body` with everything opened, locked and loaded.
    mutating func open<Result>(
        _ body: (inout Session, OpenReplica) throws -> Result
    ) throws -> Result {
        try openLocal { session, files, identity in
            let open = try session.openReplica(files, identity)
            return try body(&session, open)
        }
    }

    /// Opens the shared folder beside the local files.
    mutating func openReplica(_ files: LocalFiles, _ identity: Identity) throws -> OpenReplica {
        let shared = try openShared(files)
        let open = OpenReplica(files: files, identity: identity, shared: shared)
        try takeNewIdentityIfRestored(open)
        return open
    }

    /// The same, without the shared folder.
    mutating func openLocal<Result>(
        _ body: (inout Session, LocalFiles, Identity) throws -> Result
    ) throws -> Result {
        do {
            let folder = try root.openFolder()
            let files = try LocalFiles(
                root.collection.stem, in: folder, on: root.collection.disk)
            let identity = try Identity(files, on: root.collection.machine)
            return try withExtendedLifetime(identity) {
                try load(files, identity)
                // Also what a call knew that fails.
                defer { noteKnown() }
                return try body(&self, files, identity)
            }
        } catch {
            forget()
            switch error {
            case let error as FileSystemError:
                throw ReplicaError(error, of: root.url, shared: folder)
            case let error as FormatError:
                // Only the local state has such an error: files of others that cannot be read are named.
                throw ReplicaError(
                    error.isNewer ? .newerFormat : .ioFailure, root.url, error.description)
            case is ChangedMeanwhile:
                throw ReplicaError(.busy, root.url, "the collections are changed all the time")
            default: throw error
            }
        }
    }

    /// Opens the shared folder, and notes durably to which network it belongs.
    private mutating func openShared(_ files: LocalFiles) throws -> SharedFolder {
        var random = Chance(environment: environment)
        let shared = try SharedFolder(
            at: folder, on: sharedDisk, for: known,
            newNetwork: known.networks.min() ?? NetworkID(using: &random))
        if known.networks != shared.networks {
            known.networks = shared.networks
            try save(files)
        }
        return shared
    }
}
