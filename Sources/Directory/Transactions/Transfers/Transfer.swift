import FileSystem
import Foundation

/// A transfer of items and their files from one index to another, both of which are locked.
///
/// First the target gets an intent that names the source, then the source one that says what moves.
/// From then on until the source's intent is removed, the target's index decides: if it has the
/// items, the transfer has taken place, else it has not. An item can be in both indexes for a
/// moment, never in neither.
struct Transfer<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    typealias Slot = Directory<Item>.Items.Slot
    typealias Draft = Directory<Item>.Draft
    typealias Change = Directory<Item>.Change

    let source: LockedIndex<Item>
    let target: LockedIndex<Item>
    /// The name of the transaction: 32 hexadecimal digits.
    let transaction: String

    private var fileSystem: any FileSystem { source.fileSystem }
}

extension Transfer {
    /// Transfers the items with `ids`, in this order, to the end of the target.
    ///
    /// - Throws: ``Busy`` if a folder above is being moved; ``DirectoryError`` with `inDoubt` if the
    ///   transfer could be neither finished nor undone; the next process that opens either index
    ///   ends it.
    func run(_ ids: [Item.ID]) throws {
        let slots = try slots(ids)
        let plan = try plan(slots)
        let sides = try [source, target].map {
            try $0.folder.names.transactionFolder(transaction)
        }
        sides.forEach(LiveTransactions.transfers.insert)
        defer { sides.forEach(LiveTransactions.transfers.remove) }
        try checkAccess(to: plan.files)
        var hold = FolderHold(on: fileSystem)
        try hold.keepInPlace(of: self, moving: plan.folders)
        try withExtendedLifetime(hold) {
            // The lines of the source on disk are those of the plan from here on.
            if source.known.needsRewrite { try source.rewrite() }
            try source.folder.unmarkFoldersToMove(plan.folders)
            try run(plan, slots)
        }
    }

    private func run(_ plan: Intent.Transfer, _ slots: [Slot]) throws {
        let reserve = try reserveSpace(toRemove: slots)
        do {
            defer { source.removeReserve(reserve) }
            try begin(plan)
            try moveFiles(plan)
            try target.folder.checkThatNoOtherIndexNeeds(plan.folders)
            if !plan.folders.isEmpty { try target.folder.syncTrash() }
            try add(slots)
        } catch let error as Busy {
            // A container was removed before its folder was held. Nothing was written, and nothing
            // could be undone there.
            throw error
        } catch {
            let mayBeAdded = (error as? DirectoryError)?.code == .inDoubt
            if mayBeAdded { throw inDoubt(error) }
            do {
                try undo(plan)
            } catch let undoError {
                throw inDoubt(error, notUndone: undoError)
            }
            throw error
        }
        do {
            try remove(slots)
            try removeIntents()
        } catch {
            throw inDoubt(error)
        }
    }

    /// Ends a transfer that was interrupted; each step checks whether it is done.
    func end(_ plan: Intent.Transfer) throws {
        let slots = try slots(of: plan)
        if isAdded(slots) {
            try moveFiles(plan)
            try add(slots)
            try remove(slots)
            try removeIntents()
        } else {
            try undo(plan)
        }
    }

    /// The items of `plan`; no byte of their lines changes.
    func slots(of plan: Intent.Transfer) throws -> [Slot] {
        try plan.items.map { try source.coding.slot(from: Array($0.utf8)[...]) }
    }

    private func inDoubt(_ error: any Error, notUndone undoError: (any Error)? = nil)
        -> DirectoryError
    {
        let undo = undoError == nil ? "" : ", and could not be undone"
        return DirectoryError(
            .inDoubt, "transfer items from", source.folder.indexURL,
            "it could not be ended\(undo); the next process that uses either collection ends it",
            underlying: error, detail: undoError.map { "\($0)" },
            people: .init(
                operation: "move items from", reason: "the move began and could not be ended now",
                remedy: "Open one of the two collections again, which ends it."))
    }
}

extension Transfer {
    /// The items with `ids` as they are in the source.
    private func slots(_ ids: [Item.ID]) throws -> [Slot] {
        try ids.map { id in
            guard let slot = source.snapshot.items.slot(of: id) else {
                throw DirectoryError(
                    .itemNotFound, "transfer items from", source.folder.indexURL,
                    "it holds no item with id \(id)",
                    people: .init(operation: "move items from", reason: "the item is not there"))
            }
            return slot
        }
    }

    /// Checks that the target can have the items of `slots`, and lists what moves.
    private func plan(_ slots: [Slot]) throws -> Intent.Transfer {
        typealias Owner = Ownership<Item>
        var (draft, rest) = (target.draft, source.draft)
        var plan = Intent.Transfer(
            target: .init(path: "", index: ""), items: [], folders: [], files: [])
        let owned = source.snapshot.names.value
        // If the index was edited, an item can name the assets folder of another index.
        let otherStems = Owner.ownsFolders ? try source.folder.otherStems : []
        for slot in slots {
            let id = slot.item.id
            try draft.append([slot])
            try rest.remove(id: id)
            plan.items.append(String(decoding: slot.line, as: UTF8.self))
            if let name = Owner.folderName(of: slot.item).flatMap(FileName.init),
                owned.folders.owner(of: name) == id, !otherStems.contains(name.folded),
                try fileSystem.status(of: name, in: source.folder.handle)?.kind == .folder
            {
                plan.folders.append(name)
            }
            if let name = Owner.fileName(of: slot.item).flatMap(FileName.init),
                owned.files.owner(of: name) == id
            {
                plan.files.append(name)
            }
        }
        try rest.checkThatItCanBeOpened()
        let change = Change(from: target.snapshot.items, to: draft)
        let names = try NamePlan(
            change, from: target.snapshot, to: draft, in: target.folder,
            incoming: plan.files)
        try target.folder.removeLeftovers(names.leftoverFolders)
        for name in plan.folders
        where try fileSystem.status(of: name, in: target.folder.handle) != nil {
            throw nameIsTaken(name)
        }
        return plan
    }

    /// Looks into the assets folders: a transfer that may not do that could not be undone either.
    private func checkAccess(to files: [FileName]) throws {
        guard let file = files.first else { return }
        for side in [source, target] {
            for name in side.store.assetFolders {
                if let assets = try side.folder.openFolder(name) {
                    _ = try fileSystem.status(of: file, in: assets)
                }
            }
        }
    }

    /// The error if something in the target has the name of a folder or file that moves there.
    func nameIsTaken(_ name: FileName) -> DirectoryError {
        DirectoryError(
            .nameTaken, "transfer items to", target.folder.url, "the name \(name) is taken",
            people: .init(operation: "move items to"))
    }
}
