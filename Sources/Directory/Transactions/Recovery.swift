import FileSystem
import Foundation

/// Another process has the lock of an index that is needed to complete a transfer.
struct PeerIsLocked: Error {
    let error: DirectoryError
}

/// Ends the transactions that processes left unfinished when they died.
struct Recovery<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    /// The index, refreshed.
    let index: LockedIndex<Item>
    /// The transactions that this process still uses.
    let live: LiveTransactions
    /// Called with each transaction that is ended, whose files are to be cleaned up.
    let cleanUp: (Transaction, OwnedNames<Item.ID>) -> Void

    /// If a stage of an unknown process has not changed for this time, no living process uses it: a
    /// day, in seconds.
    private var stageLifetime: TimeInterval { 24 * 60 * 60 }
    private var fileSystem: any FileSystem { index.fileSystem }
    private var folder: IndexFolder { index.folder }
}

extension Recovery {
    /// Completes transfers, and brings the files of other transactions in line with the index.
    ///
    /// - Throws: ``PeerIsLocked`` while another process has the lock of a transfer's other index.
    func run() throws {
        while true {
            let found = try folder.transactionFolders
            let (transfers, transactions) = try unfinished(in: found.names)
            var completedAny = false
            for (transaction, plan) in transfers {
                completedAny = try complete(transaction, plan) || completedAny
            }
            if completedAny {
                // A transfer changes what the index owns, so look again.
                try index.refresh()
                continue
            }
            for transaction in transactions {
                let names = index.snapshot.names.value
                try transaction.reconcile(with: names)
                live.insert(transaction.name)
                cleanUp(transaction, names)
            }
            // A process was killed just before it removed them.
            for parent in found.emptyParents { folder.removeIfEmpty(parent) }
            return
        }
    }

    /// The unfinished transactions: transfers, and others in the order in which to end them.
    private func unfinished(in names: Set<FileName>) throws
        -> (transfers: [(Transaction, Intent.Transfer)], others: [Transaction])
    {
        var transfers: [(Transaction, Intent.Transfer)] = []
        var others: [Transaction] = []
        for name in names.subtracting(live.all) {
            guard let intent = try folder.intent(of: name) else {
                try tidyStage(name)
                continue
            }
            let transaction = Transaction(folder: folder, name: name, intent: intent)
            if let transfer = intent.transfer {
                transfers.append((transaction, transfer))
            } else {
                others.append(transaction)
            }
        }
        // Intents that rename come first, so that no removed folder is moved back to their place.
        others.sort { $0.intent.isForFile && !$1.intent.isForFile }
        return (transfers, others)
    }

    /// Removes an intent that was never complete, and the stage if no process can use it any more.
    private func tidyStage(_ name: FileName) throws {
        guard let staging = try folder.openFolder(IndexNames.staging),
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
        if age > stageLifetime || folder.owner(of: own) == .dead {
            try folder.removeStage(name, in: staging)
        }
    }
}

extension Recovery {
    /// Completes an interrupted transfer, with the other index locked as well.
    ///
    /// - Returns: False if the other folder is missing, so that nothing can be done yet.
    private func complete(_ transaction: Transaction, _ plan: Intent.Transfer) throws -> Bool {
        let path = plan.peerPath(from: try fileSystem.resolve(folder.handle.path))
        guard let peerHandle = try fileSystem.unlessMissing({ try fileSystem.openFolder(at: path) })
        else { return false }
        let id = IndexNames.transaction(of: transaction.name)
        let names = try IndexNames(plan.peerIndex, in: peerHandle.url)
        let peerFolder = IndexFolder(
            store: IndexStore(
                fileSystem: fileSystem, names: names, options: index.store.options),
            handle: peerHandle)
        guard try peerFolder.intent(of: names.transactionFolder(id))?.transfer != nil else {
            // The other intent was not written yet, or is removed already.
            try transaction.removeDurably()
            return true
        }
        guard let peerLock = try peerFolder.tryLock() else {
            throw PeerIsLocked(
                error: DirectoryError(
                    .locked, "complete a transfer of", folder.indexURL,
                    "the other collection is locked"))
        }
        let peer = LockedIndex<Item>(
            peerLock, ItemCoding(peerFolder.options, url: peerFolder.indexURL))
        try withExtendedLifetime(peer) {
            try peer.refresh()
            let transfer = Transfer(
                source: plan.isSource ? index : peer, target: plan.isSource ? peer : index,
                transaction: id)
            try transfer.complete(plan)
        }
        return true
    }
}
