import FileSystem

/// The items that a write removes from collections, and those that it adds to others.
///
/// To remove an item from one collection and to add it to another one is not to move it: its folder or file goes with
/// the removal. If both have the same id and the same name, the write counts as a move that leaves the contents behind.
struct RemovedAndAdded {
    /// The folder or file that an item owns.
    private struct Owned: Hashable {
        /// The value of the id: the two collections can have items of two types.
        let id: AnyHashable
        let isFolder: Bool
        /// The name, folded.
        let name: String
    }

    /// An index that the write has open.
    private struct OpenIndex: Hashable {
        let folder: FileIdentity
        let name: FileName
    }

    private var removed: [Owned: (folder: IndexFolder, name: FileName)] = [:]
    private var added: Set<Owned> = []
    /// For the folded name of each added folder, whether a line is that of its item.
    private var addedLines: [String: [(ArraySlice<UInt8>) -> Bool]] = [:]
    /// The open indexes, and whether the write leaves items in them.
    private var open: [OpenIndex: Bool] = [:]
}

extension RemovedAndAdded {
    /// Adds the changes of `draft` and of the drafts of collections inside its elements; with `isGone`, its container is
    /// removed too.
    mutating func add(_ draft: ElementDraft, isGone: Bool = false) throws {
        let index = draft.write?.place?.index
        let base = index?.snapshot.elements ?? Elements()
        let change = draft.change(from: base)
        if let index {
            let folder = try index.fileSystem.status(of: index.folder.handle).identity
            let isFilled = !draft.elements.isEmpty || !draft.damaged.isEmpty
            open[OpenIndex(folder: folder, name: index.folder.names.index)] = isFilled
            for id in isGone ? base.ids : change.removed where !draft.files.leaving.contains(id) {
                guard let element = base[id] else { continue }
                for (owned, name) in names(of: element) { removed[owned] = (index.folder, name) }
            }
        }
        let staged = Set(draft.files.staged.given.map(\.id))
        for id in isGone ? [] : change.inserted where !staged.contains(id) {
            guard let element = draft.elements[id] else { continue }
            let reader = draft.reader
            for owned in names(of: element).map(\.owned) {
                added.insert(owned)
                guard owned.isFolder else { continue }
                addedLines[owned.name, default: []].append { line in
                    reader.id(of: line, like: element) == id
                }
            }
        }
        for child in draft.children {
            try add(child.draft, isGone: isGone || !draft.elements.contains(child.id))
        }
    }

    /// Throws if the write removes a folder with contents, or a file, of an item that it adds elsewhere.
    func check(_ operation: String) throws {
        if added.isEmpty { return }
        for (owned, place) in removed {
            let (folder, name) = place
            if added.contains(owned) {
                if try owned.isFolder
                    ? hasContents(name, in: folder.handle, folder.store)
                    : folder.findAsset(name) != nil
                {
                    throw isLeftBehind(name, owned.isFolder, operation, in: folder.handle)
                }
            } else if owned.isFolder, !addedLines.isEmpty,
                let inner = try folder.openFolder(name)
            {
                try checkItems(in: inner, folder.store, operation)
            }
        }
    }

    private func names(of element: any IndexElement) -> [(owned: Owned, name: FileName)] {
        [element.folder, element.file].compactMap(\.self).compactMap { given in
            guard let name = given.name, let id = element.idValue as? any Hashable else {
                return nil
            }
            let owned = Owned(id: AnyHashable(id), isFolder: given.isFolder, name: name.folded)
            return (owned, name)
        }
    }

    private func isLeftBehind(
        _ name: FileName, _ isFolder: Bool, _ operation: String, in folder: Handle
    ) -> DirectoryError {
        DirectoryError(
            .contentsLeftBehind, operation, folder.url(of: name),
            "an item is removed here and added to another collection, but its "
                + "\(isFolder ? "folder \(name), which is not empty," : "file \(name)") would be removed"
        )
    }
}

/// What is in the folders of removed containers.
extension RemovedAndAdded {
    /// Throws if the folder of a removed container has, at any depth, the item of an added folder, with contents.
    private func checkItems(in folder: Handle, _ store: IndexStore, _ operation: String) throws {
        let fileSystem = store.fileSystem
        let names = try fileSystem.list(folder).filter { !$0.isHidden }
        for name in names {
            guard try fileSystem.status(of: name, in: folder)?.kind == .folder else { continue }
            if let isAdded = addedLines[name.folded],
                try names.contains(where: { index in
                    try lines(of: index, in: folder, store)?.contains { line in
                        isAdded.contains { $0(line[...]) }
                    } == true
                }), try hasContents(name, in: folder, store)
            {
                throw isLeftBehind(name, true, operation, in: folder)
            }
            if let inner = try fileSystem.openFolderIfPresent(name, in: folder) {
                try checkItems(in: inner, store, operation)
            }
        }
    }

    /// Whether the folder `name` in `parent` has, after the write, a file that is not hidden, other than an index
    /// without items.
    private func hasContents(_ name: FileName, in parent: Handle, _ store: IndexStore) throws
        -> Bool
    {
        let fileSystem = store.fileSystem
        guard let folder = try fileSystem.openFolderIfPresent(name, in: parent) else {
            return false
        }
        let identity = try fileSystem.status(of: folder).identity
        func isFilled(_ index: FileName?) -> Bool? {
            index.flatMap { open[OpenIndex(folder: identity, name: $0)] }
        }
        for name in try fileSystem.list(folder) where !name.isHidden {
            if try fileSystem.status(of: name, in: folder)?.kind == .folder {
                // The folder of assets, of which the write removes all.
                if isFilled(try? FileRole.index.name(name)) == false { continue }
                if try hasContents(name, in: folder, store) { return true }
            } else if let isFilled = isFilled(name) {
                if isFilled { return true }
            } else if try lines(of: name, in: folder, store)?.isEmpty != true {
                return true
            }
        }
        return false
    }

    /// The lines of the index `name`; nil if it is none, or cannot be read.
    private func lines(of name: FileName, in folder: Handle, _ store: IndexStore) throws
        -> [[UInt8]]?
    {
        guard let stem = FileRole.index.stem(of: name),
            let index = IndexNames(stem: stem, in: folder.url)
        else { return nil }
        return try IndexFolder(store: store.ofUnknownType(index), handle: folder).untypedLines
    }
}
