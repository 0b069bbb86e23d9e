import FileSystem

/// New containers that come with their collections.
extension CommitPart {
    /// Makes the folders of new containers that come with collections, in the transaction's folder.
    ///
    /// - Returns: If the commit can be undone, the digests of the folders, by their names.
    func makeFilledFolders(_ transaction: Transaction) throws -> [FileName: FolderDigest] {
        if newChildren.isEmpty { return [:] }
        var contents: [FileName: FolderDigest] = [:]
        let new = Dictionary(grouping: newChildren) { draft.elements[$0.id]?.folder?.name }
        let own = try transaction.openOrMakeOwn()
        for (slot, parked) in try transaction.intent.parked where parked.isNew {
            guard let name = parked.to, let children = new[name] else { continue }
            // A stage can still have the folder of an earlier write that failed.
            try fileSystem.removeTree(slot, in: own)
            let made = try folder.openOrMakeFolder(slot, in: own)
            for child in children {
                try make(child, in: made, IndexNames.transaction(of: transaction.name))
            }
            if request.isUndoable { contents[name] = try FolderDigest(of: made, index.store) }
        }
        return contents
    }

    /// Makes the collection `child` in `folder`, which no reader can see yet.
    ///
    /// Its transaction has the digits `number`, as all of the write have them.
    private func make(_ child: ChildDraft, in folder: Handle, _ number: String) throws {
        let (draft, request) = (child.draft, request.forChildren)
        let store = IndexStore(
            fileSystem: fileSystem, names: try IndexNames(stem: child.name, in: folder.url),
            options: draft.reader.options, isUnseen: true)
        let index = LockedIndex(
            try IndexFolder(store: store, handle: folder).lock(), draft.reader)
        try withExtendedLifetime(index) {
            try index.refresh()
            var commit = Commit(
                home: index.folder, number: number, isUnseen: true)
            _ = try commit.add(draft, to: index, request, LiveTransactions(), at: .home)
            try commit.run()
        }
    }
}
