import FileSystem

/// Folders whose names change hands in one commit: two that swap their names, one that gets the name of a removed
/// one.
///
/// Before the commit they move into the transaction's own folder, where their names are free, and after it each one
/// moves to where the index has its item. So a recovery needs no other rule.
extension Transaction {
    /// The parked folders with the names that they have meanwhile.
    var parked: [(slot: FileName, folder: Intent.Parked)] {
        get throws {
            try (intent.parkedFolders ?? []).enumerated().map { number, folder in
                (try FileName(validating: "folder-\(number + 1)"), folder)
            }
        }
    }

    /// The names that parked folders have in the transaction's own folder.
    var slots: [FileName] { get throws { try parked.map(\.slot) } }

    /// Whether the commit removes a parked folder.
    var removesParkedFolder: Bool { intent.parkedFolders?.contains { $0.to == nil } == true }

    /// The parked folders of items that the commit removes: their names, and where they are meanwhile.
    var parkedRemovals: [(name: FileName, slot: FileName, parent: Handle)] {
        get throws {
            guard removesParkedFolder,
                let own = try folder.openFolder(name, in: IndexNames.staging)
            else { return [] }
            return try parked.compactMap { slot, parked in
                parked.to == nil ? parked.from.map { ($0, slot, own) } : nil
            }
        }
    }

    /// The parked folders that come back: their names meanwhile, and those where they waited.
    var slotsOfRestored: [(slot: FileName, hidden: FileName)] {
        get throws {
            try parked.compactMap { slot, parked in
                guard parked.from == nil, let to = parked.to else { return nil }
                return restoring?.folders[to].map { (slot, $0) }
            }
        }
    }

    /// Whether the folder that comes back as `name` is parked, because another has the name before the commit.
    func isParked(_ name: FileName) -> Bool {
        intent.parkedFolders?.contains { $0.from == nil && $0.to == name } == true
    }

    /// Moves the folders into `own`, the transaction's own folder, and makes those that are new.
    func park(in own: Handle) throws {
        if intent.parkedFolders == nil { return }
        if try !fileSystem.list(own).contains(where: StageOwner.isOwner) {
            try StageOwner.makeFile(in: own, of: folder)
        }
        for (slot, parked) in try parked {
            if let from = parked.from {
                _ = try fileSystem.unlessMissing {
                    try fileSystem.rename(
                        from, in: folder.handle, to: slot, in: own, replacing: false)
                }
            } else if try fileSystem.status(of: slot, in: own) == nil {
                try fileSystem.makeFolder(slot, in: own, mode: folder.options.folderPermissions)
            }
        }
        try fileSystem.sync(own)
    }

    /// Moves each parked folder to where its item has it in `snapshot`; one whose item is not there stays.
    ///
    /// - Returns: Whether none has to wait: because something else has its name, or because its item cannot be
    ///   decoded as this type.
    @discardableResult
    func unpark<Item>(_ snapshot: Directory<Item>.Snapshot, _ coding: ItemCoding<Item>) throws
        -> Bool
    {
        guard intent.parkedFolders != nil,
            let own = try folder.openFolder(name, in: IndexNames.staging)
        else { return true }
        var areAllPlaced = true
        for (slot, parked) in try parked {
            guard try fileSystem.status(of: slot, in: own) != nil else { continue }
            guard let item = try? coding.slot(from: Array(parked.item.utf8)[...]).item else {
                areAllPlaced = false
                continue
            }
            guard let name = snapshot.folder(of: item.id) else { continue }
            if try fileSystem.status(of: name, in: folder.handle) == nil {
                try fileSystem.rename(
                    slot, in: own, to: name, in: folder.handle, replacing: false)
            } else {
                areAllPlaced = false
            }
        }
        // The removal of the intent syncs the folder that they come from.
        try fileSystem.sync(folder.handle)
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
            let areAllPlaced = try unpark(snapshot, coding)
            if areAllPlaced, !needsRecovery {
                try removeIntentIfParked()
            } else {
                needsRecovery = true
            }
        } catch {
            needsRecovery = true
        }
    }

    /// Removes the intent durably once all is where the index says, if folders were parked.
    ///
    /// Otherwise a power loss could bring it back, and with it a removed folder, whose item may be there again.
    func removeIntentIfParked() throws {
        guard intent.parkedFolders != nil,
            let own = try folder.openFolder(name, in: IndexNames.staging)
        else { return }
        try fileSystem.unlessMissing { try fileSystem.removeFile(Intent.fileName, in: own) }
        try fileSystem.sync(own)
    }
}

extension Directory.Snapshot {
    /// The folder of the item with `id`; nil if the index does not have the item.
    fileprivate func folder(of id: Item.ID) -> FileName? {
        guard let item = items[id: id],
            let name = Ownership<Item>.folderName(of: item).flatMap(FileName.init),
            names.value.folders.owner(of: name) == id
        else { return nil }
        return name
    }
}
