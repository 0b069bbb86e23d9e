import FileSystem
import Foundation

extension DirectoryError {
    /// Whether the files of an index cannot be read as one.
    fileprivate var isDamage: Bool {
        [.damagedIndex, .journalDamaged, .indexConflict].contains(code)
    }
}

extension LockedIndex {
    /// Ends a transfer that a dead process left, with the other index locked as well.
    ///
    /// `hold` has what the caller keeps in place or moves already.
    ///
    /// - Throws: ``Busy`` while others have what is needed; ``UnendableTransaction`` if the other index
    ///   cannot be read, or if this one is the source and the target is not where the intent says.
    func endTransfer(_ transaction: Transaction, _ hold: FolderHold) throws {
        let intent = transaction.intent
        let isSource = intent.transfer != nil
        guard let path = intent.peer, let peer = try folder.open(path) else {
            return try removeUnlessSource(transaction)
        }
        let id = IndexNames.transaction(of: transaction.name)
        let name = try peer.names.transactionFolder(id)
        guard let half = try peer.half(of: id, leadingTo: folder),
            let plan = isSource ? intent.transfer : half.transfer
        else {
            // If the source's intent came back after a power loss, it would not find this one.
            try peer.syncTransaction(name)
            return try removeUnlessSource(transaction)
        }
        guard let lock = try peer.tryLock() else { throw Busy(error: peer.lockIsTaken) }
        let other = LockedIndex(lock, ItemCoding(peer.options, url: peer.indexURL))
        try withExtendedLifetime(other) {
            do {
                try other.refresh()
            } catch let error as DirectoryError where error.isDamage {
                throw UnendableTransaction(error: error, isMissing: false)
            }
            let transfer = Transfer(
                source: isSource ? self : other, target: isSource ? other : self, transaction: id)
            var hold = hold
            try hold.keepInPlace(of: transfer, moving: plan.folders)
            try withExtendedLifetime(hold) {
                for side in [transaction, Transaction(folder: peer, name: name, intent: half)] {
                    try side.makeDurable()
                }
                try transfer.end(plan)
            }
        }
    }

    /// Removes the intent of a target whose source has none: nothing has moved, or all is done.
    ///
    /// The same if the source's intent leads to another folder: then this is a copy of the target.
    ///
    /// A process that moves the source's folder ends the transfer first. So if the source is not
    /// found, it has no intent either.
    ///
    /// - Throws: ``UnendableTransaction`` if this is the source.
    private func removeUnlessSource(_ transaction: Transaction) throws {
        if let plan = transaction.intent.transfer {
            throw UnendableTransaction(error: transferIsUnfinished(plan.target), isMissing: true)
        }
        try transaction.cleanUp(keepingStage: false)
    }

    private func transferIsUnfinished(_ target: Intent.Peer) -> DirectoryError {
        let path = folder.url(of: target).path(percentEncoded: false)
        return DirectoryError(
            .unfinishedTransfer, "end a transfer from", folder.indexURL,
            "a process died during the transfer, and the other collection is not there any more, or "
                + "knows nothing of this one",
            underlying: FileSystemError("find a transfer in", path, .noSuchFile),
            people: .init(usual: .unfinishedTransfer, operation: "change"))
    }
}
