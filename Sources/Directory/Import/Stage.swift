import FileSystem
import Foundation
import Synchronization

/// A folder on a collection's own volume that collects files, to insert them together.
///
///     let stage = try photos.makeStage()
///     try stage.copy(urls)
///     try stage.write(jpegData, name: "moon.jpg")
///     try photos.insert(stage)
///
/// To insert copies of files alone, no stage is needed: `insert(copying:progress:)`.
///
/// Staged files are not part of the collection. When the last reference to a stage is released, its
/// files are removed. If the process dies first, recovery removes them: at once if the process is
/// certainly dead, otherwise a day after the last change. Until then `verify()` reports the stage,
/// with its size. No source is changed before an insert has succeeded.
public final class Stage: Sendable {
    private enum Phase: Equatable {
        case open, closed
        case inserting(hasFailedSync: Bool)
        /// A sync of its files failed, so that nobody knows what is on the disk: a later one could only seem to succeed.
        case unsynced

        func refusal(_ operation: String, _ url: URL) -> DirectoryError {
            let (reason, words, remedy) =
                switch self {
                case .open:
                    (
                        "the stage belongs to another collection, or an insert failed and could not be undone",
                        "the files were prepared for another collection, or could not be imported",
                        "Import the files again."
                    )
                case .inserting:
                    (
                        "the stage is being inserted", "the files are being imported just now",
                        "Wait until they are imported."
                    )
                case .closed:
                    (
                        "the stage was inserted or discarded",
                        "the files were imported or discarded before", "Import the files again."
                    )
                case .unsynced:
                    (
                        "a sync of its files failed, and a later one would not say whether they are whole",
                        "the disk has not taken the files", "Import the files again."
                    )
                }
            return DirectoryError(
                .stageClosed, operation, url, reason, people: .init(reason: words, remedy: remedy))
        }
    }

    private struct State {
        var assets: [StagedAsset] = []
        var lastNumber = 0
        var phase = Phase.open
    }

    let name: FileName
    /// The folder of the collection.
    let collection: IndexFolder
    /// The stage's own folder.
    let folder: Handle
    private let live: LiveTransactions
    /// Throws if the folder of the collection was removed.
    ///
    /// It also keeps the owner of `live` alive, so that the stage can be inserted.
    private let checkCollection: @Sendable () throws -> Void
    private let state = Mutex(State())
    /// The progress of the copies.
    let copyProgress = StageProgress()

    /// Makes a stage in the folder `collection`; recovery does not touch it while `live` has its
    /// name.
    ///
    /// `checkCollection` throws if the folder was removed.
    init(
        in collection: IndexFolder, _ live: LiveTransactions,
        checkCollection: @escaping @Sendable () throws -> Void
    ) throws {
        self.collection = collection
        self.live = live
        self.checkCollection = checkCollection
        name = try collection.names.transactionFolder()
        live.insert(name)
        do {
            folder = try collection.makeStage(name)
        } catch {
            live.remove(name)
            throw error
        }
    }

    deinit {
        // Best effort: recovery removes the remaining files.
        try? discard()
    }

    /// The files staged so far, in the order of the calls.
    public var assets: [StagedAsset] { state.withLock { $0.assets } }
}

extension Stage {
    /// Removes the staged files; their sources stay.
    ///
    /// Does nothing after an insert has succeeded. If an insert failed and could not be rolled
    /// back, the files stay until recovery has rolled it back.
    ///
    /// - Throws: ``DirectoryError`` with `stageClosed` while the stage is being inserted,
    ///   `accessDenied` or `ioFailure`.
    public func discard() throws {
        let hasFiles = try state.withLock { state in
            if case .inserting = state.phase {
                throw state.phase.refusal("discard an import into", collection.indexURL)
            }
            defer { state.phase = .closed }
            return state.phase != .closed
        }
        if hasFiles { try removeFolder() }
    }

    private func removeFolder() throws {
        defer { live.remove(name) }
        try DirectoryError.describing("discard an import into", collection.indexURL) {
            guard let staging = try collection.openFolder(IndexNames.staging),
                // Recovery needs the records of a write that has not ended.
                try !Transaction.hasRecords(in: folder, on: fileSystem)
            else { return }
            try collection.removeStage(name, in: staging)
            collection.removeIfEmpty(IndexNames.staging)
        }
    }
}

extension Stage {
    /// Closes the stage for everything except one insert, and returns its files.
    ///
    /// - Throws: ``DirectoryError`` with `stageClosed`.
    func beginInsert() throws -> [StagedAsset] {
        try state.withLock { state in
            guard state.phase == .open else {
                throw state.phase.refusal("import files into", collection.indexURL)
            }
            state.phase = .inserting(hasFailedSync: false)
            return state.assets
        }
    }

    /// Opens the stage again after an insert failed, unless a sync of its files did.
    func didFailToInsert() {
        state.withLock { state in
            state.phase = state.phase == .inserting(hasFailedSync: true) ? .unsynced : .open
        }
    }

    /// Closes the stage if the insert that goes on fails.
    func didFailToSync() { state.withLock { $0.phase = .inserting(hasFailedSync: true) } }

    /// Ends the stage after items got the files `used`, and removes the sources of moved files.
    func didInsert(_ used: [StagedAsset]) {
        // The commit has removed the stage's folder if it took files from there.
        state.withLock { $0.phase = used.isEmpty ? .open : .closed }
        // Best effort: the items are committed, and a remaining source can be removed by hand.
        if used.isEmpty { try? discard() }
        copyProgress.finish()
        if !used.isEmpty, live.contains(name), (try? isCleanedUpLater) == false {
            // All files are in other collections now.
            try? removeFolder()
        }
        for asset in used { try? asset.source?.remove() }
    }

    /// Whether the transaction that used the stage is cleaned up in the background.
    private var isCleanedUpLater: Bool {
        get throws {
            try Transaction.hasRecords(in: folder, on: fileSystem)
                || fileSystem.list(folder).contains(where: Transaction.isRemoved)
        }
    }

    /// The error of an insert into the collection at `url`, which does not know the stage.
    func refusal(_ operation: String, _ url: URL) -> DirectoryError {
        state.withLock { $0.phase.refusal(operation, url) }
    }

    var fileSystem: any FileSystem { collection.fileSystem }

    /// Stages the files that `make` makes with `count` new names.
    func add(_ count: Int, _ make: ([FileName]) throws -> [StagedAsset]) throws -> [StagedAsset] {
        let last = try state.withLock { state in
            guard state.phase == .open else {
                throw state.phase.refusal("import files into", collection.indexURL)
            }
            state.lastNumber += count
            return state.lastNumber
        }
        return try DirectoryError.describing("import files into", collection.indexURL) {
            try collection.store.volume?.count(
                .staging, "import files into", collection.indexURL)
            let staged: [StagedAsset]
            do {
                staged = try make(
                    (last - count..<last).map { try FileName(validating: "\($0 + 1)") })
            } catch let error as FileSystemError where error.code == .noSuchFile {
                try checkCollection()
                throw error
            }
            try state.withLock { state in
                // The files are removed with the stage.
                guard state.phase == .open else {
                    throw state.phase.refusal("import files into", collection.indexURL)
                }
                state.assets += staged
            }
            return staged
        }
    }
}
