import FileSystem
import Foundation
import Synchronization

/// Someone has the lock of the index that a transfer to complete also needs.
struct PeerIsLocked: Error {
    let error: DirectoryError
}

extension Core {
    /// Moves the items with `ids`, in the order given, and all they own to the end of `other`.
    func transfer(
        _ ids: [Item.ID], to other: Core<Item>, _ durability: DirectoryOptions.Durability
    ) throws {
        guard WriteScope.core == nil else { throw nestedWrite("transfer items from") }
        guard self !== other, !ids.isEmpty else { return }
        try DirectoryError.describing("transfer items from", url) {
            guard let source = try openFolder(making: true),
                let target = try other.openFolder(making: true)
            else { throw folderMissing }
            var changes = BothChanges()
            defer {
                changes.peer.forEach(other.notify)
                changes.own.forEach(notify)
            }
            try withBothLocked(other, source, target, &changes) { own, peer, locks in
                try move(
                    ids, to: other,
                    LockedTransfer(
                        source: .init(store: store, folder: source, lock: locks.source),
                        target: .init(store: other.store, folder: target, lock: locks.target),
                        transaction: IndexNames.newTransaction(), durability: durability))
                // The transfer has taken place; what cannot be read now, the next call reads.
                return (
                    (try? refresh(source, &own, locks.source)) ?? .init(),
                    (try? other.refresh(target, &peer, locks.target)) ?? .init()
                )
            }
        }
    }

    /// What observers are told when both locks are let go of.
    private struct BothChanges {
        var own: [Directory<Item>.Change] = []
        var peer: [Directory<Item>.Change] = []
    }

    /// Takes the locks of two indexes in the order of their folders, so that no two transfers
    /// wait for each other.
    private func withBothLocked(
        _ other: Core<Item>, _ source: Handle, _ target: Handle, _ changes: inout BothChanges,
        _ body: (inout Writer, inout Writer, (source: IndexLock, target: IndexLock)) throws -> (
            own: Directory<Item>.Change, peer: Directory<Item>.Change
        )
    ) throws {
        let here = try fileSystem.status(of: source).identity
        let there = try other.fileSystem.status(of: target).identity
        guard here.device == there.device else {
            throw DirectoryError(
                .crossVolume, "transfer items from", url,
                "\(other.url.path(percentEncoded: false)) lies on another volume")
        }
        let isFirst =
            here == there
            ? store.names.index.string < other.store.names.index.string
            : here < there
        if isFirst {
            try withLock(in: source, untold: &changes.own) { own, ownLock in
                try other.withLock(in: target, untold: &changes.peer) { peer, peerLock in
                    let made = try body(&own, &peer, (ownLock, peerLock))
                    return (((), made.own), made.peer)
                }
            }
        } else {
            try other.withLock(in: target, untold: &changes.peer) { peer, peerLock in
                try withLock(in: source, untold: &changes.own) { own, ownLock in
                    let made = try body(&own, &peer, (ownLock, peerLock))
                    return (((), made.peer), made.own)
                }
            }
        }
    }

    private func move(
        _ ids: [Item.ID], to other: Core<Item>, _ transfer: LockedTransfer<Item>
    ) throws {
        let plan = try plan(ids, to: other, transfer)
        do {
            try transfer.begin(plan)
            try transfer.moveFiles(plan)
            try transfer.add(plan)
        } catch {
            let mayBeAdded = (error as? DirectoryError)?.code == .inDoubt
            guard !mayBeAdded, (try? transfer.undo(plan)) != nil else { throw inDoubt(error) }
            throw error
        }
        do {
            try transfer.remove(plan)
            try transfer.end()
        } catch {
            throw inDoubt(error)
        }
    }

    private func inDoubt(_ error: any Error) -> DirectoryError {
        DirectoryError(
            .inDoubt, "transfer items from", url,
            "it could not be finished; it will be when either collection is used next",
            underlying: error)
    }

    /// Checks that `other` can have the items, and says what moves.
    private func plan(
        _ ids: [Item.ID], to other: Core<Item>, _ transfer: LockedTransfer<Item>
    ) throws -> Intent.Transfer {
        let ownership = Ownership<Item>()
        var current = snapshot
        try current.items.encode(with: store.options, for: url)
        var draft = Directory<Item>.Draft(other.snapshot, url: other.url)
        var plan = Intent.Transfer(
            isSource: true, peerPath: "", peerIndex: "", items: [], folders: [], files: [])
        let names = current.names.value
        for id in ids {
            guard let slot = current.items.slot(of: id) else {
                throw DirectoryError(
                    .itemNotFound, "transfer items from", url, "it holds no item with id \(id)")
            }
            try draft.append(slot.item)
            plan.items.append(String(decoding: slot.line ?? [], as: UTF8.self))
            if let name = ownership.folderName(of: slot.item).flatMap(FileName.init),
                names.folders.owner(of: name) == id,
                try fileSystem.status(of: name, in: transfer.source.folder)?.kind == .folder
            {
                plan.folders.append(name)
            }
            if let name = ownership.fileName(of: slot.item).flatMap(FileName.init),
                names.files.owner(of: name) == id
            {
                plan.files.append(name)
            }
        }
        var claims = NameClaims(
            base: other.snapshot.items, draft: draft.items, names: other.snapshot.names.value)
        try claims.make(
            .init(from: other.snapshot.items, to: draft), other.store, in: transfer.target.folder,
            arrivals: plan.files.map { .init(staged: $0, asset: $0) })
        try transfer.checkNames(of: plan)
        return plan
    }
}

extension Core {
    /// Completes a transfer that died, with the other index locked as well.
    ///
    /// - Returns: False where the other folder is not there, so that nothing can be done yet.
    /// - Throws: ``PeerIsLocked`` while someone else has that lock.
    func complete(_ transfer: Intent.Transfer, _ transaction: Transaction, _ lock: IndexLock)
        throws -> Bool
    {
        let path = transfer.peerPath(from: try fileSystem.resolve(transaction.folder.path))
        guard let peerFolder = try fileSystem.unlessMissing({ try fileSystem.openFolder(at: path) })
        else { return false }
        let names = try IndexNames(transfer.peerIndex, in: peerFolder.url)
        let peer = IndexStore(fileSystem: fileSystem, names: names, options: store.options)
        let id = IndexNames.transaction(of: transaction.name)
        guard try peer.intent(of: names.transactionFolder(id), in: peerFolder)?.transfer != nil
        else {
            // The other intent was not written yet, or is removed already.
            try transaction.end()
            return true
        }
        guard let peerLock = try peer.tryLock(in: peerFolder) else {
            throw PeerIsLocked(
                error: DirectoryError(
                    .locked, "complete a transfer of", url, "the lock of \(path) is taken"))
        }
        let here = LockedTransfer<Item>.Side(
            store: store, folder: transaction.folder, lock: lock)
        let there = LockedTransfer<Item>.Side(store: peer, folder: peerFolder, lock: peerLock)
        let locked = LockedTransfer<Item>(
            source: transfer.isSource ? here : there, target: transfer.isSource ? there : here,
            transaction: id, durability: .durable)
        try withExtendedLifetime(peerLock) {
            try locked.moveFiles(transfer)
            try locked.add(transfer)
            try locked.remove(transfer)
            try locked.end()
        }
        return true
    }
}
