import FileSystem

/// The folders of containers.
extension NamePlan {
    /// Lists the folder `name` of `element` as one that loses its name.
    ///
    /// - Returns: Its position in the list.
    @discardableResult mutating func leave(
        _ name: FileName, _ element: any IndexElement, before old: (any IndexElement)? = nil
    ) -> Int {
        let number = result.movedFolders.count
        result.movedFolders.append(Intent.Folder(of: element, before: old, from: name))
        left[name.folded] = (number, element.id)
        return number
    }

    /// Lists the folder of the item with `id` as one that is brought back, comes with collections, or is new and takes the
    /// name of another folder.
    mutating func arrive(_ name: FileName, of id: ElementID) {
        guard let element = draft[id] else { return }
        result.movedFolders.append(Intent.Folder(of: element, to: name))
    }

    /// Every folder is parked, except a renamed one whose names no other item has before or after the change.
    mutating func parkFoldersThatShareNames() {
        let folders = result.movedFolders
        guard folders.contains(where: { $0.from != nil && $0.to != nil }) else { return }
        let owned = result.names.folders
        let shared = left.filter { _, folder in
            folders[folder.number].from.flatMap(owned.owner).map { $0 != folder.id } == true
        }
        for number in folders.indices {
            guard let from = folders[number].from, let to = folders[number].to else { continue }
            // If only the case changes, a volume that ignores case reports the new name as taken.
            result.movedFolders[number].isParked =
                from.folded == to.folded || shared[from.folded] != nil || shared[to.folded] != nil
        }
    }

    /// Plans the folder of a new container, or of one that is brought back.
    ///
    /// An empty folder with its name is used, unless an item of another index may own it.
    mutating func addFolder(_ name: FileName, _ id: ElementID) throws {
        if moved.copied.contains(name), moved.freed.contains(name.folded) { return }
        if try moved.freed.contains(name.folded) || isLeft(name) { return arrive(name, of: id) }
        let hasFolder = try hasEmptyFolder(name)
        if filled.contains(id) || moved.restored.contains(name) || moved.copied.contains(name) {
            if hasFolder { result.emptyFolders.append(name) }
            if !moved.copied.contains(name) { arrive(name, of: id) }
        } else if hasFolder {
            result.usesEmptyFolder = true
        } else if !moved.transferred.contains(name) {
            result.newFolders.append(name)
        }
    }

    /// Whether there is an empty folder with this name, which the item uses or replaces by its own.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken` if anything else has the name, or may have it.
    mutating func hasEmptyFolder(_ name: FileName) throws -> Bool {
        guard let found = try statusUnlessLeftover(name) else { return false }
        // Another index here has made its lock file before its folders, so `isShared` finds it.
        guard found.kind == .folder, areAllOwnersKnown, !moved.transferred.contains(name),
            try !folder.isShared,
            try folder.openFolder(name).map(folder.fileSystem.list)?.isEmpty == true
        else { throw folder.nameIsTaken(name) }
        return true
    }

    /// Whether this commit takes `name` away from a folder, so that another folder can get it.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken` if the volume distinguishes case, and something but an empty
    ///   folder has the name in exactly this case.
    mutating func isLeft(_ name: FileName) throws -> Bool {
        guard let number = left[name.folded]?.number, let old = result.movedFolders[number].from
        else { return false }
        if let found = try status(of: name), try found.identity != status(of: old)?.identity,
            try hasEmptyFolder(name)
        {
            result.emptyFolders.append(name)
        }
        return true
    }

    /// Whether `name` is a folder that can belong to an item.
    ///
    /// If the index was edited, an item can name a file, even an index, or the assets folder of an index.
    mutating func isOwnFolder(_ name: FileName) throws -> Bool {
        guard try status(of: name)?.kind == .folder else { return false }
        return try !isStem(name)
    }

    /// Whether `name` is that of the assets folder of an index in this folder.
    mutating func isStem(_ name: FileName) throws -> Bool {
        try name.folded == folder.names.stem.folded || others().stems.contains(name.folded)
    }

    private func status(of name: FileName) throws -> FileStatus? {
        try folder.fileSystem.status(of: name, in: folder.handle)
    }

    /// The status of a name that an item is to get; nil also if a crashed append left a folder with it, which is
    /// removed.
    private mutating func statusUnlessLeftover(_ name: FileName) throws -> FileStatus? {
        guard try areAllOwnersKnown && folder.isMarkedFolder(name) else {
            return try status(of: name)
        }
        result.leftoverFolders.append(name)
        return nil
    }
}
