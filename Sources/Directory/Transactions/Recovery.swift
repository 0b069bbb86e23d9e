import FileSystem
import Foundation

/// Ends the transactions that processes left unfinished when they died.
struct Recovery {
    /// The index, refreshed.
    let index: LockedIndex
    /// The transactions that this process still uses.
    let live: LiveTransactions
    /// Called with each transaction that was ended, to clean up its files.
    let cleanUp: (Transaction, Snapshot) -> Void
    /// Whether transactions of other machines are ended too, because those machines will not go on.
    let endsOtherMachines: Bool

    private var fileSystem: any FileSystem { index.fileSystem }
    private var folder: IndexFolder { index.folder }
}

extension Recovery {
    /// Ends the write to several collections in which the index has a part, and brings the files of transactions in line
    /// with the index.
    ///
    /// The index and the intents that dead processes wrote are made durable before anything is removed.
    ///
    /// - Returns: Whether the folder has no place for transactions, and so no transaction.
    /// - Throws: ``Busy`` while another process has a lock that such a write needs; ``UnendableTransaction``, after all
    ///   others, if a participant cannot be used, or another machine or version began a transaction.
    func run() throws -> Bool {
        var unreachable = try endJointWrite()
        // A home whose writer died looks for this index, which may be at another place by now.
        try index.endAtHomes(durably: false)
        let found = try folder.transactionFolders
        let (transactions, unendable) = try unfinished(in: found.names)
        unreachable = unreachable ?? unendable
        if !transactions.isEmpty { try index.lock.syncIndex() }
        for transaction in transactions {
            try transaction.makeDurable()
            do {
                try transaction.endJointWritesInside()
            } catch let peer as UnendableTransaction {
                // A container that this transaction moves has a write inside that cannot be ended.
                unreachable = UnendableTransaction(error: peer.error, isMissing: false)
                continue
            }
            let areAllPlaced = try transaction.reconcile(with: index.snapshot, index.reader)
            // A file that no item owns may belong to an item that only a newer version of the app can decode.
            guard index.snapshot.areAllOwnersKnown, areAllPlaced else { continue }
            try folder.disown(transaction.name)
            live.insert(transaction.name)
            cleanUp(transaction, index.snapshot)
        }
        // A process may have been killed just before it removed these folders.
        for parent in found.parents { folder.removeIfEmpty(parent) }
        if let unreachable { throw unreachable }
        return found.areMissing
    }

    /// Ends the write to several collections in which the index has a part.
    ///
    /// - Returns: Why it cannot be ended; nil if it is.
    private func endJointWrite() throws -> UnendableTransaction? {
        guard let part = index.known.state.journal?.joint else { return nil }
        if !endsOtherMachines, let machine = part.machine, folder.isOther(machine) {
            return folder.isUnfinished(nil, of: machine)
        }
        do {
            try index.lock.syncIndex()
            try JointRecovery(index: index).run()
            return nil
        } catch let peer as UnendableTransaction {
            // The recovery may have given this index its new lines.
            index.known.state.version = nil
            try index.refresh()
            return peer
        }
    }

    /// The unfinished transactions, with the removed files of processes that have ended, and the error for those of other
    /// machines and versions, which are left out.
    private func unfinished(in names: Set<FileName>) throws
        -> ([Transaction], UnendableTransaction?)
    {
        var unendable: UnendableTransaction?
        var others: [Transaction] = []
        // It is reconciled with the lines that count, once these are known.
        let waiting = try index.known.state.journal?.joint.map {
            try folder.names.transactionFolder($0.number)
        }
        for name in names.subtracting(live.all)
        where try name != waiting && !folder.isKept(name, byOtherMachines: !endsOtherMachines) {
            if try folder.hasUnknownIntent(name) {
                unendable = folder.isOfOtherVersion
                continue
            }
            guard let intent = try folder.intent(of: name) else {
                if try folder.hasRemoved(name) {
                    others.append(Transaction(folder: folder, name: name, intent: Intent()))
                } else {
                    // A clean-up, which needs no lock, may remove it at the same time.
                    try fileSystem.unlessMissing { try tidyStage(name) }
                }
                continue
            }
            if !endsOtherMachines, folder.isOfOtherMachine(intent), let machine = intent.machine {
                unendable = folder.isUnfinished(name, of: machine)
                continue
            }
            others.append(Transaction(folder: folder, name: name, intent: intent))
        }
        return (others, unendable)
    }

    /// Removes an incomplete intent, and the stage if no process can use it any more.
    private func tidyStage(_ name: FileName) throws {
        guard let staging = try folder.openFolder(IndexNames.staging),
            let own = try fileSystem.openFolderIfPresent(name, in: staging)
        else { return }
        defer { folder.removeIfEmpty(IndexNames.staging) }
        let found = try fileSystem.status(of: own)
        if try fileSystem.status(of: Intent.fileName, in: own) != nil {
            try fileSystem.removeFile(Intent.fileName, in: own)
        }
        if try fileSystem.list(own).isEmpty {
            // A process that is just making this stage makes it again; the stage stays if its owner file exists by now.
            return folder.removeIfEmpty(name, in: staging)
        }
        let owner = try folder.owner(of: own)
        if owner.isOver(lastChange: found.modificationDate)
            || endsOtherMachines && owner == .otherMachine
        {
            // Best effort: nothing needs it, and the next recovery tries again.
            try? folder.removeStage(name, in: staging)
        }
    }
}
