import Dispatch
import FileSystem
import Foundation
import Synchronization

extension Core {
    /// A stage that nobody has touched for so long belongs to no living process: a day.
    private static var abandonedAfter: TimeInterval { 24 * 60 * 60 }

    /// Recovers before a load if something is left over and nobody holds the lock.
    ///
    /// On a volume that cannot be written to, the load goes on without.
    func recoverIfFree(_ folder: Handle, _ writer: inout Writer) throws
        -> [Directory<Item>.Change]
    {
        do {
            guard writer.doubt == nil, try !leftovers(in: folder).names.isEmpty,
                let lock = try store.tryLock(in: folder)
            else { return [] }
            return try withExtendedLifetime(lock) { try prepare(folder, &writer, lock) }
        } catch let error as FileSystemError
            where [.readOnly, .accessDenied, .notPermitted].contains(error.code)
        {
            return []
        } catch is PeerIsLocked {
            return []
        }
    }

    /// Settles the transactions of dead processes; only under the lock, after a refresh.
    ///
    /// Returns whether that changed the index; then it is to be called again after a refresh.
    func recover(_ folder: Handle, _ writer: inout Writer, _ lock: IndexLock) throws -> Bool {
        var hasChanged = false
        let found = try leftovers(in: folder)
        var transactions: [Transaction] = []
        for name in found.names {
            guard let intent = try store.intent(of: name, in: folder) else {
                try tidyStage(name, in: folder)
                continue
            }
            let transaction = Transaction(
                store: store, folder: folder, name: name, intent: intent)
            if let transfer = intent.transfer {
                hasChanged = try complete(transfer, transaction, lock) || hasChanged
            } else {
                transactions.append(transaction)
            }
        }
        // What the index owns is another matter after a transfer; the next call sees to the rest.
        if hasChanged { return true }
        // What was renamed goes back first, so that nothing else takes its place.
        transactions.sort { $0.intent.isForFile && !$1.intent.isForFile }
        for transaction in transactions {
            try transaction.settle(by: snapshot.names.value)
            setLive(transaction.name, true)
            finish(transaction, by: snapshot.names.value)
        }
        // A process was killed just before it removed them.
        for parent in found.emptyParents { store.removeIfEmpty(parent, in: folder) }
        return false
    }

    /// The transaction folders of this index that nobody in this process is using.
    private func leftovers(in folder: Handle) throws -> (
        names: Set<FileName>, emptyParents: [FileName]
    ) {
        let live = state.withLock { $0.liveTransactions }
        var found: Set<FileName> = []
        var emptyParents: [FileName] = []
        for name in [IndexNames.staging, IndexNames.trash] {
            // Mostly there is none, and a look costs less than an attempt to open it.
            guard try fileSystem.status(of: name, in: folder) != nil,
                let parent = try fileSystem.openFolderIfPresent(name, in: folder)
            else { continue }
            // Whoever cleans up without the lock removes the folder when it is empty.
            let names = try fileSystem.unlessMissing { try fileSystem.list(parent) } ?? []
            if names.isEmpty { emptyParents.append(name) }
            found.formUnion(names.filter(store.names.isTransactionFolder))
        }
        return (found.subtracting(live), emptyParents)
    }

    /// Removes an intent that was never whole, and the stage itself when nobody can want it.
    private func tidyStage(_ name: FileName, in folder: Handle) throws {
        guard let staging = try fileSystem.openFolderIfPresent(IndexNames.staging, in: folder),
            let own = try fileSystem.openFolderIfPresent(name, in: staging)
        else { return }
        let found = try fileSystem.status(of: own)
        if try fileSystem.status(of: Intent.fileName, in: own) != nil {
            try fileSystem.removeFile(Intent.fileName, in: own)
            if try fileSystem.list(own).isEmpty {
                return try fileSystem.removeFolder(name, in: staging)
            }
        }
        let age = -found.modificationDate.timeIntervalSinceNow
        if age > Self.abandonedAfter { try fileSystem.removeTree(name, in: staging) }
    }
}

extension IndexStore {
    /// What a transaction moves, nil where it is a stage that no commit has begun with.
    func intent(of name: FileName, in folder: Handle) throws -> Intent? {
        var intent: Intent?
        if let own = try openFolder(name, in: IndexNames.staging, of: folder) {
            intent = try fileSystem.readAll(Intent.fileName, in: own).flatMap(Intent.init)
        }
        guard let trash = try fileSystem.openFolderIfPresent(IndexNames.trash, in: folder),
            try fileSystem.status(of: name, in: trash) != nil
        else { return intent }
        intent = intent ?? Intent()
        if let own = try openFolder(name, in: IndexNames.trash, of: folder) {
            // Whoever cleans up without the lock may have removed it meanwhile.
            intent?.removedFolders =
                try fileSystem.unlessMissing { try fileSystem.list(own) } ?? []
        }
        return intent
    }
}
