import FileSystem
import Foundation
import JSONCodec

/// Moves items and their files from one index to another, with both locked.
///
/// Both folders hold an intent of the same transaction before the first file moves; so a
/// transfer that died is completed by whoever opens either of them next, and one whose intent
/// stands in one folder only either did not begin or is complete. An item can be in both indexes
/// for a moment, never in neither.
struct LockedTransfer<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    /// One of the two indexes.
    struct Side {
        let store: IndexStore
        let folder: Handle
        let lock: IndexLock
    }

    let source: Side
    let target: Side
    let transaction: String
    let durability: DirectoryOptions.Durability
    private var fileSystem: any FileSystem { source.store.fileSystem }
}

extension LockedTransfer {
    /// Checks that nothing in the target has a name of a folder or file that is to move there.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken`.
    func checkNames(of transfer: Intent.Transfer) throws {
        let assets = try fileSystem.openFolderIfPresent(target.store.names.stem, in: target.folder)
        let taken = try transfer.folders.first { name in
            try fileSystem.status(of: name, in: target.folder) != nil
        }
        let takenFile = try transfer.files.first { name in
            try assets.map { try fileSystem.status(of: name, in: $0) != nil } ?? false
        }
        guard let name = taken ?? takenFile else { return }
        throw DirectoryError(
            .nameTaken, "transfer items to", target.folder.url, "the name \(name) is taken")
    }

    /// Makes the intent durable in both folders; from then on the transfer takes place.
    func begin(_ transfer: Intent.Transfer) throws {
        for (side, peer) in [(source, target), (target, source)] {
            var half = transfer
            half.isSource = side.folder === source.folder
            half.peerPath = try relativePath(from: side, to: peer)
            half.peerIndex = peer.store.names.index.string
            try moves(of: side, Intent(transfer: half)).prepare {}
        }
    }

    /// Moves the files that have not moved yet.
    func moveFiles(_ transfer: Intent.Transfer) throws {
        try move(transfer.folders, from: source.folder, to: target.folder)
        if !transfer.files.isEmpty {
            let assets = try target.store.openOrMake(target.store.names.stem, in: target.folder)
            for name in source.store.assetFolderNames {
                if let old = try fileSystem.openFolderIfPresent(name, in: source.folder) {
                    try move(transfer.files, from: old, to: assets)
                }
            }
        }
    }

    /// Adds the items to the target that it does not have yet.
    func add(_ transfer: Intent.Transfer) throws {
        let items = try items(of: transfer)
        try change(target) { draft in
            for item in items where draft[id: item.id] == nil { try draft.append(item) }
        }
    }

    /// Removes the items from the source that it still has.
    func remove(_ transfer: Intent.Transfer) throws {
        let items = try items(of: transfer)
        try change(source) { draft in
            for item in items where draft[id: item.id] != nil { try draft.remove(id: item.id) }
        }
    }

    /// Takes back what ``begin(_:)`` and ``moveFiles(_:)`` did; only while the target does not
    /// have the items.
    ///
    /// A name that is in the source has not left it, whatever has it in the target.
    func undo(_ transfer: Intent.Transfer) throws {
        let folders = try transfer.folders.filter { name in
            try fileSystem.status(of: name, in: source.folder) == nil
        }
        let files = try transfer.files.filter { name in
            try source.store.findAsset(name, in: source.folder) == nil
        }
        try move(folders, from: target.folder, to: source.folder)
        let (old, new) = (source.store.names.stem, target.store.names.stem)
        if let assets = try fileSystem.openFolderIfPresent(new, in: target.folder) {
            try move(files, from: assets, to: source.store.openOrMake(old, in: source.folder))
        }
        try end()
    }

    /// Removes both intents.
    func end() throws {
        for side in [source, target] { try moves(of: side, Intent()).end() }
    }

    private func items(of transfer: Intent.Transfer) throws -> [Item] {
        try transfer.items.map { line in
            try LineDecoder.decode(
                Item.self, from: Array(line.utf8), with: source.store.options.decoder)
        }
    }

    private func moves(of side: Side, _ intent: Intent) throws -> Transaction {
        Transaction(
            store: side.store, folder: side.folder,
            name: try side.store.names.transactionFolder(transaction), intent: intent)
    }

    /// Moves the folders or files that are still in `old` and not yet in `new`.
    private func move(_ names: [FileName], from old: Handle, to new: Handle) throws {
        var moved = false
        for name in names {
            guard let found = try fileSystem.status(of: name, in: old) else { continue }
            if try fileSystem.status(of: name, in: new)?.identity == found.identity {
                // Power loss can leave a file in both folders.
                try fileSystem.removeFile(name, in: old)
            } else {
                try fileSystem.rename(name, in: old, to: name, in: new, replacing: false)
            }
            moved = true
        }
        guard moved else { return }
        try fileSystem.sync(new)
        try fileSystem.sync(old)
    }

    private func change(_ side: Side, _ body: (inout Directory<Item>.Draft) throws -> Void) throws {
        let url = side.folder.url(of: side.store.names.index)
        let reader = IndexReader<Item>(options: side.store.options, url: url)
        let contents = try side.store.read(in: side.folder, side.lock)
        let snapshot = try reader.snapshot(of: contents, in: side.folder, side.store)
        var draft = Directory<Item>.Draft(snapshot, url: url)
        try body(&draft)
        let change = Directory<Item>.Change(from: snapshot.items, to: draft)
        guard !change.isEmpty else {
            // The change was made before; whether it is on stable storage, nobody knows.
            return try side.store.renew(contents.state, snapshot, in: side.folder, side.lock)
        }
        var next = Directory<Item>.Snapshot(items: draft.items, damaged: draft.damaged)
        try next.items.encode(with: side.store.options, for: url)
        let update = IndexUpdate(
            operations: { next.operations(from: snapshot, change, moved: draft.moved) },
            lines: { next.lines })
        var state = contents.state
        try side.store.commit(update, to: &state, in: side.folder, side.lock, durability)
    }

    private func relativePath(from side: Side, to peer: Side) throws -> String {
        let from = try fileSystem.resolve(side.folder.path).split(separator: "/")
        let to = try fileSystem.resolve(peer.folder.path).split(separator: "/")
        let shared = zip(from, to).prefix { $0 == $1 }.count
        return (from.dropFirst(shared).map { _ in ".." } + to.dropFirst(shared))
            .joined(separator: "/")
    }
}
