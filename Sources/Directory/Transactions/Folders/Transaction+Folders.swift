import FileSystem

/// The folders of containers that a commit moves.
///
/// A renamed folder is moved before the commit if no other item has one of its two names. Every other folder is parked:
/// it waits in the transaction's own folder for the commit, and then moves to the name that its item has in the index.
/// One rule covers folders that are removed, new or brought back, and those that swap their names: the item decides.
extension Transaction {
    private static let removedPrefix = "removed-"

    /// Whether `name`, in a transaction's folder, is that of a folder that a commit has removed for good.
    static func isRemoved(_ name: FileName) -> Bool { name.string.hasPrefix(removedPrefix) }

    /// The parked folders of removed items: the old name, and the name (`slot`) in the transaction's folder (`parent`).
    var parkedRemovals: [(name: FileName, slot: FileName, parent: Handle)] {
        get throws {
            guard intent.removesFolder,
                let own = try folder.openFolder(name, in: IndexNames.staging)
            else { return [] }
            return try intent.parked.compactMap { slot, parked in
                parked.to == nil ? parked.from.map { ($0, slot, own) } : nil
            }
        }
    }

    /// Moves the folders, parked ones into `own`, the transaction's folder, and makes new ones there.
    ///
    /// If `areSomeMoved`, some of them may be in their places already.
    ///
    /// - Returns: Whether folders may have moved. Those of new containers that come with collections are there already.
    /// - Throws: ``DirectoryError`` with `undoConflict` if a folder to bring back is missing.
    func moveFolders(_ own: Handle, _ areSomeMoved: Bool) throws -> Bool {
        var haveMoved = areSomeMoved
        let parent = folder.handle
        for (slot, moved) in try intent.slots {
            let (target, name) = slot.map { (own, $0) } ?? (parent, moved.to)
            guard let name else { continue }
            let isThere =
                try (areSomeMoved || moved.isNew) && fileSystem.status(of: name, in: target) != nil
            if isThere { continue }
            haveMoved = true
            if let from = moved.from {
                try fileSystem.moveIfPresent(from, in: parent, to: name, in: target)
            } else if let place = moved.waiting {
                guard let source = try folder.openKept(place.path),
                    try fileSystem.moveIfPresent(place.name, in: source, to: name, in: target)
                else { throw folder.keptIsGone }
            } else {
                try fileSystem.makeFolder(name, in: target, mode: folder.options.folderPermissions)
            }
        }
        if haveMoved, intent.folders.contains(where: \.isParked) { try folder.sync(own) }
        return haveMoved
    }

    /// Puts the intent on stable storage, with the folders of new containers that come with collections.
    func syncIntent() throws {
        var unsynced: [Handle] = []
        let own = try folder.openFolder(name, in: IndexNames.staging)
        for (slot, parked) in try intent.parked where parked.isNew {
            let made = try own.flatMap { try fileSystem.openFolderIfPresent(slot, in: $0) }
            if let made { try fileSystem.openUnseen(made, &unsynced) }
        }
        try folder.syncTransaction(name, with: unsynced)
    }

    /// Removes new folders from a stage that stays after its commit failed.
    func removeNewFolders() throws {
        guard let own = try folder.openFolder(name, in: IndexNames.staging) else { return }
        for (slot, parked) in try intent.parked where parked.isNew {
            try fileSystem.removeTree(slot, in: own)
        }
    }

    /// Checks, before the commit, that nothing has the new names of the parked folders.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken`.
    func checkThatPlacesAreFree() throws {
        for name in try intent.parked.compactMap(\.folder.to)
        where try fileSystem.status(of: name, in: folder.handle) != nil {
            throw folder.nameIsTaken(name)
        }
    }

    /// Moves each folder to the name that its item has in `snapshot`; the folder of a removed item stays parked.
    ///
    /// `isCommitted` says whether the commit has taken place; nil if only the items can tell.
    ///
    /// - Returns: False if a folder has to wait: its name is taken, or the name of its item is not known.
    func placeFolders(
        _ snapshot: Snapshot, _ reader: any ElementReader, isCommitted: Bool? = nil
    ) throws -> Bool {
        guard !intent.folders.isEmpty,
            let own = try folder.openFolder(name, in: IndexNames.staging)
        else { return true }
        var areAllPlaced = true
        for (slot, moved) in try intent.slots {
            if let slot, try fileSystem.status(of: slot, in: own) == nil { continue }
            let known = isCommitted.map { Destination($0 ? moved.to : moved.from) }
            let destination = try known ?? destination(of: moved, snapshot, reader)
            guard let slot else {
                let isPlaced = try moveBetweenNames(
                    of: moved, to: destination, snapshot.names.value.folders)
                // Only the call that has just moved the folder knows that something else has its old name.
                if !isPlaced, isCommitted == false { areAllPlaced = false }
                continue
            }
            switch destination {
            case .noName:
                // If its place among the kept files is gone, the folder is removed with the transaction's folder.
                guard let place = moved.waiting, let source = try folder.openKept(place.path)
                else { continue }
                try fileSystem.move(slot, in: own, to: place.name, in: source)
                try fileSystem.sync(source)
            case .name(let name) where try fileSystem.status(of: name, in: folder.handle) == nil:
                try fileSystem.move(slot, in: own, to: name, in: folder.handle)
            case .name, .unknown: areAllPlaced = false
            }
        }
        return areAllPlaced
    }

    /// Moves a folder that is not parked to its name, unless something, perhaps this folder, has that name.
    ///
    /// - Returns: False if a folder still has the other name while this one is taken.
    private func moveBetweenNames(
        of moved: Intent.Folder, to destination: Destination, _ owned: NameTable
    ) throws -> Bool {
        guard case .name(let name) = destination else { return true }
        let parent = folder.handle
        // If the index was edited, another item can have the other name.
        let others = try [moved.from, moved.to].compactMap(\.self).filter { other in
            try other != name && !owned.owns(other)
                && fileSystem.status(of: other, in: parent) != nil
        }
        guard let other = others.first else { return true }
        guard try fileSystem.status(of: name, in: parent) == nil else { return false }
        try fileSystem.moveIfPresent(other, in: parent, to: name, in: parent)
        return true
    }

    /// Moves each parked folder to its place after the commit.
    ///
    /// The commit has taken place: if this fails, recovery does it.
    mutating func placeParked(_ snapshot: Snapshot, _ reader: any ElementReader) {
        guard intent.folders.contains(where: \.isParked) else { return }
        do {
            if try !placeFolders(snapshot, reader, isCommitted: true) { needsRecovery = true }
            // A rename is durable once one of its two folders is synced.
            if intent.folders.contains(where: { $0.isParked && $0.to != nil }) {
                try fileSystem.sync(folder.handle)
            }
        } catch {
            needsRecovery = true
        }
    }

    /// Renames the folders that are removed for good, durably, once all others are in their places.
    ///
    /// Otherwise recovery could move one of them to its item, if that exists again. The intent is removed too, unless
    /// it still lists files to remove. If there are no such folders, all are in their places, also if the intent comes
    /// back; but before this, a removal can have moved some to the trash, and a roll back can have removed new ones.
    func endParking(afterRollBack isRollBack: Bool = false) throws {
        guard intent.folders.contains(where: \.isParked),
            let own = try folder.openFolder(name, in: IndexNames.staging)
        else { return }
        var areSomeGone = isRollBack || intent.removesFolder
        for (number, listed) in try intent.slots.enumerated() {
            guard let slot = listed.slot else { continue }
            let removed = try FileName(validating: "\(Self.removedPrefix)\(number + 1)")
            if try fileSystem.moveIfPresent(slot, in: own, to: removed, in: own) {
                areSomeGone = true
            }
        }
        if !areSomeGone { return }
        if intent.removedFiles.isEmpty {
            try fileSystem.unlessMissing { try fileSystem.removeFile(Intent.fileName, in: own) }
        }
        try fileSystem.sync(own)
    }
}

extension Transaction {
    /// Where a folder belongs.
    private enum Destination {
        case name(FileName)
        /// No item has the folder. A parked folder moves back to its kept place or is removed; any other folder stays
        /// where it is.
        case noName
        case unknown

        /// A name, or nil for a removal.
        init(_ name: FileName?) { self = name.map(Self.name) ?? .noName }
    }

    /// Where the folder belongs, according to the items of `snapshot`.
    ///
    /// If somebody replaced the index, and it no longer has the item, a folder that was to be renamed gets one of its
    /// two names, if one is free. A verification then finds the folder.
    private func destination(
        of moved: Intent.Folder, _ snapshot: Snapshot, _ reader: any ElementReader
    ) throws -> Destination {
        let lines = [moved.item, moved.before].compactMap(\.self)
        let found = lines.lazy.compactMap {
            try? reader.element(on: Array($0.utf8)[...])
        }.first
        guard let id = found?.id else { return .unknown }
        let owned = snapshot.names.value.folders
        if let element = snapshot.elements[id] {
            guard let name = element.folder?.name,
                owned.owner(of: name) == id
            else { return .unknown }
            return .name(name)
        }
        guard moved.isParked, let from = moved.from, let to = moved.to else { return .noName }
        for name in [to, from] where owned.owner(of: name) == nil {
            if try fileSystem.status(of: name, in: folder.handle) == nil { return .name(name) }
        }
        return .unknown
    }
}
