import FileSystem

/// Folders that are removed, that are new or come back, and whose names change hands: two that swap their names, one
/// that gets the name of a removed one.
///
/// Before the commit they are in the transaction's own folder, and after it each one moves to where the index has its
/// item. So a recovery needs no other rule.
extension Transaction {
    /// The parked folders with the names that they have meanwhile.
    var parked: [(slot: FileName, folder: Intent.Parked)] { get throws { try intent.slots } }

    private static let removedPrefix = "removed-"

    /// Whether `name` is that of a folder in the transaction's own folder which a commit has removed for good.
    static func isRemoved(_ name: FileName) -> Bool { name.string.hasPrefix(removedPrefix) }

    /// The names that parked folders have in the transaction's own folder.
    var slots: [FileName] { get throws { try parked.map(\.slot) } }

    /// The parked folders of items that the commit removes: their names, and where they are meanwhile.
    var parkedRemovals: [(name: FileName, slot: FileName, parent: Handle)] {
        get throws {
            guard intent.removesFolder,
                let own = try folder.openFolder(name, in: IndexNames.staging)
            else { return [] }
            return try parked.compactMap { slot, parked in
                parked.to == nil ? parked.from.map { ($0, slot, own) } : nil
            }
        }
    }

    /// Moves the folders into `own`, the transaction's own folder, and makes those that are new.
    ///
    /// - Throws: ``DirectoryError`` with `undoConflict` if one that comes back is gone.
    func park(in own: Handle) throws {
        if intent.parkedFolders == nil { return }
        for (slot, parked) in try parked {
            if let from = parked.from {
                try fileSystem.moveIfPresent(from, in: folder.handle, to: slot, in: own)
            } else if let place = parked.waiting {
                guard let source = try folder.openKept(place.path),
                    try fileSystem.moveIfPresent(place.name, in: source, to: slot, in: own)
                else { throw folder.keptIsGone }
            } else if try fileSystem.status(of: slot, in: own) == nil {
                try fileSystem.makeFolder(slot, in: own, mode: folder.options.folderPermissions)
            }
        }
        try fileSystem.sync(own)
    }

    /// Removes the folders that are new, after the commit failed whose stage the transaction's folder is.
    func removeNewSlots() throws {
        guard let own = try folder.openFolder(name, in: IndexNames.staging) else { return }
        for (slot, parked) in try parked where parked.from == nil {
            try fileSystem.removeTree(slot, in: own)
        }
    }

    /// Checks, before the commit, that nothing else has got the names of the parked folders.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken`.
    func checkThatPlacesAreFree() throws {
        for name in (intent.parkedFolders ?? []).compactMap(\.to)
        where try fileSystem.status(of: name, in: folder.handle) != nil {
            throw folder.nameIsTaken(name)
        }
    }

    /// Moves each parked folder to where its item has it in `snapshot`; that of a removed item stays.
    ///
    /// `isCommitted` says whether the commit has taken place; nil if only the items can tell.
    ///
    /// - Returns: Whether none has to wait: because something else has its name, or because nobody knows here which
    ///   name its item has.
    func unpark<Item>(
        _ snapshot: Directory<Item>.Snapshot, _ coding: ItemCoding<Item>, isCommitted: Bool? = nil
    ) throws -> Bool {
        guard intent.parkedFolders != nil,
            let own = try folder.openFolder(name, in: IndexNames.staging)
        else { return true }
        var areAllPlaced = true
        for (slot, parked) in try parked {
            guard try fileSystem.status(of: slot, in: own) != nil else { continue }
            let known = isCommitted.map { Destination($0 ? parked.to : parked.from) }
            switch try known ?? destination(of: parked, snapshot, coding) {
            case .removal:
                // What nobody keeps any more is removed with the transaction's folder.
                guard let place = parked.waiting, let source = try folder.openKept(place.path)
                else { continue }
                try fileSystem.rename(
                    slot, in: own, to: place.name, in: source, replacing: false)
                try fileSystem.sync(source)
            case .name(let name) where try fileSystem.status(of: name, in: folder.handle) == nil:
                try fileSystem.rename(
                    slot, in: own, to: name, in: folder.handle, replacing: false)
            case .name, .unknown: areAllPlaced = false
            }
        }
        return areAllPlaced
    }

    /// Moves each parked folder to its place after the commit.
    ///
    /// The commit has taken place: if this fails, recovery does it.
    mutating func placeParked<Item>(
        _ snapshot: Directory<Item>.Snapshot, _ coding: ItemCoding<Item>
    ) {
        guard intent.parkedFolders != nil else { return }
        do {
            if try !unpark(snapshot, coding, isCommitted: true) { needsRecovery = true }
            // `endParking` syncs the folder that they come from.
            if intent.parkedFolders?.contains(where: { $0.to != nil }) == true {
                try fileSystem.sync(folder.handle)
            }
        } catch {
            needsRecovery = true
        }
    }

    /// Marks durably what is removed for good, once all else is where the index says.
    ///
    /// Otherwise recovery could take it for the folder of its item, which may be there again. An intent that removes
    /// files too stays until these are removed.
    func endParking() throws {
        guard intent.parkedFolders != nil,
            let own = try folder.openFolder(name, in: IndexNames.staging)
        else { return }
        for (number, slot) in try slots.enumerated() {
            let removed = try FileName(validating: "\(Self.removedPrefix)\(number + 1)")
            try fileSystem.moveIfPresent(slot, in: own, to: removed, in: own)
        }
        if intent.removedFiles.isEmpty {
            try fileSystem.unlessMissing { try fileSystem.removeFile(Intent.fileName, in: own) }
        }
        try fileSystem.sync(own)
    }
}

extension Transaction {
    /// Where a parked folder belongs.
    private enum Destination {
        case name(FileName)
        /// The cleanup removes it: its item is removed, or was never committed.
        case removal
        case unknown

        /// A name, or nil for a removal.
        init(_ name: FileName?) { self = name.map(Self.name) ?? .removal }
    }

    /// Where the folder belongs by the items of `snapshot`.
    ///
    /// If the index was replaced by one that does not have the item, a folder that no commit removes gets a free
    /// name of its two, where a verification finds it.
    private func destination<Item>(
        of parked: Intent.Parked, _ snapshot: Directory<Item>.Snapshot, _ coding: ItemCoding<Item>
    ) throws -> Destination {
        let lines = [parked.item, parked.before].compactMap(\.self)
        let found = lines.lazy.compactMap {
            try? coding.slot(from: Array($0.utf8)[...]).item
        }.first
        guard let id = found?.id else { return .unknown }
        let owned = snapshot.names.value.folders
        if let item = snapshot.items[id: id] {
            guard let name = Ownership<Item>.folderName(of: item).flatMap(FileName.init),
                owned.owner(of: name) == id
            else { return .unknown }
            return .name(name)
        }
        guard let from = parked.from, let to = parked.to else { return .removal }
        for name in [to, from] where owned.owner(of: name) == nil {
            if try fileSystem.status(of: name, in: folder.handle) == nil { return .name(name) }
        }
        return .unknown
    }
}
