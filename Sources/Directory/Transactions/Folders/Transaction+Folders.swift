import FileSystem

/// The folders of containers that a commit moves.
///
/// One whose new name nobody else had gets it before the commit. Others are parked: before the commit they are in the
/// transaction's own folder, and after it each one moves to where the index has its item. So folders can be removed,
/// be new, come back and swap their names, and a recovery needs one rule for all: the item decides.
extension Transaction {
    private static let removedPrefix = "removed-"

    /// Whether `name` is that of a folder in the transaction's own folder which a commit has removed for good.
    static func isRemoved(_ name: FileName) -> Bool { name.string.hasPrefix(removedPrefix) }

    /// The folders of items that the commit removes: their names, and where they are meanwhile.
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

    /// Moves the folders, those that are parked into `own`, the transaction's own folder, and makes those that are new.
    ///
    /// - Throws: ``DirectoryError`` with `undoConflict` if one that comes back is gone.
    func moveFolders(_ own: Handle) throws {
        let parent = folder.handle
        for (slot, moved) in try intent.slots {
            let (target, name) = slot.map { (own, $0) } ?? (parent, moved.to)
            guard let name else { continue }
            if let from = moved.from {
                try fileSystem.moveIfPresent(from, in: parent, to: name, in: target)
            } else if let place = moved.waiting {
                guard let source = try folder.openKept(place.path),
                    try fileSystem.moveIfPresent(place.name, in: source, to: name, in: target)
                else { throw folder.keptIsGone }
            } else if try fileSystem.status(of: name, in: target) == nil {
                try fileSystem.makeFolder(name, in: target, mode: folder.options.folderPermissions)
            }
        }
        if intent.folders.contains(where: \.isParked) { try fileSystem.sync(own) }
    }

    /// Removes the folders that are new, after the commit failed whose stage the transaction's folder is.
    func removeNewFolders() throws {
        guard let own = try folder.openFolder(name, in: IndexNames.staging) else { return }
        for (slot, parked) in try intent.parked where parked.isNew {
            try fileSystem.removeTree(slot, in: own)
        }
    }

    /// Checks, before the commit, that nothing else has got the names of the parked folders.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken`.
    func checkThatPlacesAreFree() throws {
        for name in try intent.parked.compactMap(\.folder.to)
        where try fileSystem.status(of: name, in: folder.handle) != nil {
            throw folder.nameIsTaken(name)
        }
    }

    /// Moves each folder to where its item has it in `snapshot`; that of a removed item stays.
    ///
    /// `isCommitted` says whether the commit has taken place; nil if only the items can tell.
    ///
    /// - Returns: Whether none has to wait: because something else has its name, or because nobody knows here which
    ///   name its item has.
    func placeFolders<Item>(
        _ snapshot: Directory<Item>.Snapshot, _ coding: ItemCoding<Item>, isCommitted: Bool? = nil
    ) throws -> Bool {
        guard !intent.folders.isEmpty,
            let own = try folder.openFolder(name, in: IndexNames.staging)
        else { return true }
        var areAllPlaced = true
        for (slot, moved) in try intent.slots {
            if let slot, try fileSystem.status(of: slot, in: own) == nil { continue }
            let known = isCommitted.map { Destination($0 ? moved.to : moved.from) }
            let destination = try known ?? destination(of: moved, snapshot, coding)
            guard let slot else {
                let isPlaced = try moveBetweenNames(
                    of: moved, to: destination, snapshot.names.value.folders)
                // Only a call that has just moved it knows that what has its old name is something else.
                if !isPlaced, isCommitted == false { areAllPlaced = false }
                continue
            }
            switch destination {
            case .noName:
                // What nobody keeps any more is removed with the transaction's folder.
                guard let place = moved.waiting, let source = try folder.openKept(place.path)
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

    /// Moves a folder that is not parked, unless something has the name, which may be this folder.
    ///
    /// - Returns: Whether nothing is left that could be moved.
    private func moveBetweenNames(
        of moved: Intent.Folder, to destination: Destination,
        _ owned: NameTable<some Hashable & Sendable>
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
    mutating func placeParked<Item>(
        _ snapshot: Directory<Item>.Snapshot, _ coding: ItemCoding<Item>
    ) {
        guard intent.folders.contains(where: \.isParked) else { return }
        do {
            if try !placeFolders(snapshot, coding, isCommitted: true) { needsRecovery = true }
            // `endParking` syncs the folder that they come from.
            if intent.folders.contains(where: { $0.isParked && $0.to != nil }) {
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
        guard intent.folders.contains(where: \.isParked),
            let own = try folder.openFolder(name, in: IndexNames.staging)
        else { return }
        for (number, listed) in try intent.slots.enumerated() {
            guard let slot = listed.slot else { continue }
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
    /// Where a folder belongs.
    private enum Destination {
        case name(FileName)
        /// A parked folder waits to be removed: its item is removed, or was never committed. Another one stays where it
        /// is, because no item says anything else.
        case noName
        case unknown

        /// A name, or nil for a removal.
        init(_ name: FileName?) { self = name.map(Self.name) ?? .noName }
    }

    /// Where the folder belongs by the items of `snapshot`.
    ///
    /// If the index was replaced by one that does not have the item, a parked folder that no commit removes gets a free
    /// name of its two, where a verification finds it.
    private func destination<Item>(
        of moved: Intent.Folder, _ snapshot: Directory<Item>.Snapshot, _ coding: ItemCoding<Item>
    ) throws -> Destination {
        let lines = [moved.item, moved.before].compactMap(\.self)
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
        guard moved.isParked, let from = moved.from, let to = moved.to else { return .noName }
        for name in [to, from] where owned.owner(of: name) == nil {
            if try fileSystem.status(of: name, in: folder.handle) == nil { return .name(name) }
        }
        return .unknown
    }
}
