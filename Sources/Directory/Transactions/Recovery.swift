import FileSystem
import Foundation

/// Ends the transactions that processes left unfinished when they died.
struct Recovery<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    /// The index, refreshed.
    let index: LockedIndex<Item>
    /// The transactions that this process still uses.
    let live: LiveTransactions
    /// Called with each transaction that is ended, whose files are to be cleaned up.
    let cleanUp: (Transaction, Directory<Item>.Snapshot) -> Void
    /// Whether the machines that began other transactions will not go on, so that these are ended too.
    let endsOtherMachines: Bool

    private var fileSystem: any FileSystem { index.fileSystem }
    private var folder: IndexFolder { index.folder }
}

extension Recovery {
    /// Ends writes to several collections, and brings the files of other transactions in line with the index.
    ///
    /// What dead processes wrote is made durable before anything is removed because of it.
    ///
    /// - Throws: ``Busy`` while another process has what such a write needs; ``UnendableTransaction``,
    ///   after all else, if another collection of it cannot be used, or another machine began something.
    func run() throws {
        while true {
            var unreachable: UnendableTransaction?
            let found = try folder.transactionFolders
            let (trees, transactions, unendable) = try unfinished(in: found.names)
            unreachable = unendable
            if !trees.isEmpty || !transactions.isEmpty { try folder.syncIndex() }
            var endedAny = false
            for name in trees {
                do {
                    let hold = FolderHold(on: fileSystem)
                    try TreeRecovery(lock: index.lock, name: name, hold: hold).run()
                    endedAny = true
                } catch let peer as UnendableTransaction {
                    // A call that accepts one that is missing does not accept one that is damaged.
                    if unreachable?.isMissing != false { unreachable = peer }
                    // It may have given this one its new lines.
                    try index.refresh()
                }
            }
            if endedAny {
                // This changes what the index owns, so look again.
                try index.refresh()
                continue
            }
            for transaction in transactions {
                try transaction.makeDurable()
                var hold = FolderHold(on: fileSystem)
                do {
                    try hold.takeToMove(transaction)
                } catch let peer as UnendableTransaction {
                    // A container that this transaction moves has such a write inside.
                    unreachable = UnendableTransaction(error: peer.error, isMissing: false)
                    continue
                }
                let areAllPlaced = try withExtendedLifetime(hold) {
                    try transaction.reconcile(with: index.snapshot, index.coding)
                }
                // What no item owns may belong to one that a newer version of the app can decode.
                guard index.snapshot.areAllOwnersKnown, areAllPlaced else { continue }
                try folder.disown(transaction.name)
                live.insert(transaction.name)
                cleanUp(transaction, index.snapshot)
            }
            // A process may have been killed just before it removed them.
            for parent in found.parents { folder.removeIfEmpty(parent) }
            if let unreachable { throw unreachable }
            return
        }
    }

    /// The unfinished transactions: those of writes to several collections, others with what processes removed that have
    /// ended, and why those of other machines and versions are not among them.
    private func unfinished(in names: Set<FileName>) throws
        -> (trees: [FileName], others: [Transaction], UnendableTransaction?)
    {
        var unendable: UnendableTransaction?
        var trees: [FileName] = []
        var others: [Transaction] = []
        for name in names.subtracting(live.all)
        where try !folder.isKept(name, byOtherMachines: !endsOtherMachines) {
            if try folder.unknownRecord(of: name) != nil {
                unendable = folder.isOfOtherVersion
                continue
            }
            if let tree = try folder.tree(of: name) {
                if !endsOtherMachines, folder.isOther(tree.machine) {
                    unendable = folder.isUnfinished(name, of: tree.machine)
                } else {
                    trees.append(name)
                }
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
        return (trees, others, unendable)
    }

    /// Removes what was never complete, and the stage if no process can use it any more.
    private func tidyStage(_ name: FileName) throws {
        guard let staging = try folder.openFolder(IndexNames.staging),
            let own = try fileSystem.openFolderIfPresent(name, in: staging)
        else { return }
        defer { folder.removeIfEmpty(IndexNames.staging) }
        let found = try fileSystem.status(of: own)
        for name in [Intent.fileName, TreeList.undecided]
        where try fileSystem.status(of: name, in: own) != nil {
            try fileSystem.removeFile(name, in: own)
        }
        if try fileSystem.list(own).isEmpty {
            // A stage that is just being made is made again, unless it has its owner by now.
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
