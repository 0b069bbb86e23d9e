import FileSystem
import Foundation

extension Directory.Draft where Item: Container {
    /// Changes a collection inside the item with `id`, as part of the same commit.
    ///
    ///     try projects.write { draft in
    ///         try draft.append(apollo)
    ///         try draft.write(.notes, of: apollo.id) { notes in
    ///             try notes.append(Note(title: "Load the film"))
    ///         }
    ///     }
    ///
    /// The item can be new in this write: its folder then gets its name with everything in it. If the write removes
    /// the item, its collections are removed with it. The closure can write into collections of the collection in the
    /// same way, to any depth. Pending edits of the collection are committed after the write.
    ///
    /// Each collection that one write changes keeps three or four files open until the write ends. Apple's systems and
    /// some shells allow a process 256 open files: there, one write can change about 70 collections. A write to more
    /// collections throws, and nothing changes. `setrlimit` raises the limit.
    ///
    /// - Parameters:
    ///   - child: The name and the item type of the collection.
    ///   - id: The id of an item of this draft.
    ///   - body: Changes the draft of the collection; if it throws, that draft stays as it was.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or ``DirectoryError`` with `itemNotFound` if the draft has no such item,
    ///   `optionsDiffer` if the write has opened the collection with another item type, `nestedWrite` if the write has
    ///   ended; `invalidName`, `nameTaken`, `invalidLocation`; `locked` if another thread or process uses the
    ///   collection: then the closure of the write runs again, even if it catches the error.
    public mutating func write<C, Result>(
        _ child: Child<C>, of id: Item.ID, _ body: (inout Directory<C>.Draft) throws -> Result
    ) throws -> Result {
        try change(child, of: id, body)
    }
}

extension Directory.Draft {
    mutating func change<C, Result>(
        _ child: Child<C>, of id: Item.ID, _ body: (inout Directory<C>.Draft) throws -> Result
    ) throws -> Result {
        let operation = "change \(child.name) in"
        let item = items.element(at: try position(of: id, operation))
        let position = children.firstIndex { $0.id == id && $0.name == child.name }
        var draft: Directory<C>.Draft
        if let position {
            guard let known = children[position].draft as? Directory<C>.Draft else {
                throw DirectoryError(
                    .optionsDiffer, operation, url,
                    "this write has opened it with items of another type")
            }
            try known.write?.session.checkThatItLasts(url)
            draft = known
        } else {
            draft = try open(child, of: item)
        }
        // The lock is held from now on, also if `body` throws.
        let place = position ?? children.count
        if position == nil {
            children.append(ChildDraft(id: id, name: child.name, draft: draft))
        }
        let own = draft.write
        let result = try body(&draft)
        try draft.checkThatItBelongs(to: own)
        children[place].draft = draft
        return result
    }

    /// Throws if another draft was assigned to this one.
    func checkThatItBelongs(to write: CollectionWrite<Item>?) throws {
        guard self.write === write else {
            throw DirectoryError(
                .nestedWrite, "change", url,
                "the draft of another collection or write was assigned to its draft",
                remedy: "Change the draft that the closure is given.",
                people: .init(reason: "the app mixed up two changes"))
        }
    }

    /// The draft of a collection inside `item`, as it is now.
    private func open<C>(_ child: Child<C>, of item: ItemElement<Item>) throws
        -> Directory<C>.Draft
    {
        guard let write else {
            throw DirectoryError(
                .nestedWrite, "change", url, "this draft cannot reach into its items")
        }
        try write.session.checkThatItLasts(url)
        var draft =
            if let (core, index) = write.place, index.snapshot.elements.contains(item.id) {
                try write.session.draft(of: child, of: item.item.id, in: core, index)
            } else {
                try newDraft(of: child, of: item, write)
            }
        draft.base.stagedFiles = StagedFiles(write.session.assets)
        return draft
    }

    /// The draft of a collection in a container that the write adds.
    private func newDraft<C>(
        of child: Child<C>, of item: ItemElement<Item>, _ write: CollectionWrite<Item>
    ) throws -> Directory<C>.Draft {
        let folder = url.deletingLastPathComponent()
            .appending(path: item.folder?.text ?? "")
        let names = try IndexNames(stem: child.name, in: folder)
        let options = write.options.forChildren
        let index = folder.appending(path: names.index.string)
        return Directory<C>.Draft(
            .init(), ItemCoding(options, url: index),
            of: CollectionWrite<C>(session: write.session, place: nil, options: options))
    }
}

extension WriteSession {
    /// The draft of a collection inside an existing container; takes the collection's lock.
    fileprivate func draft<Item, C>(
        of child: Child<C>, of id: Item.ID, in core: Core<Item>, _ index: LockedIndex
    ) throws -> Directory<C>.Draft {
        try core.describing("open \(child.name) in") {
            let location = ContainerLocation(collection: core, id: id)
            // Commits of a child must not be lost with the item.
            try index.makeDurable()
            let folder = try index.folder.openOrMake(location.checkedName(in: index.snapshot))
            let store = IndexStore(
                fileSystem: core.fileSystem,
                names: try IndexNames(stem: child.name, in: folder.url),
                options: core.store.options.forChildren, volume: core.store.volume)
            let found: Core<C> = try Registry.shared.core(in: folder, at: location, store)
            let write = try lock(found, in: IndexFolder(store: found.store, handle: folder))
            return Directory<C>.Draft(found.snapshot, found.coding, of: write)
        }
    }
}

extension Directory.Draft {
    /// The drafts of collections whose items existed before the write and still exist.
    var presentChildren: [ChildDraft<Item>] {
        if children.isEmpty { return .init() }
        return remaining { $0 }
    }

    /// The drafts of collections in new items, if they have items.
    var newChildren: [ChildDraft<Item>] {
        // The usual case; a key path in generic code is made anew each time, which takes a microsecond.
        if children.isEmpty { return .init() }
        return remaining { !$0 }.filter(\.draft.isFilled)
    }

    private func remaining(where isWanted: (_ wasThere: Bool) -> Bool) -> [ChildDraft<Item>] {
        let before = (write?.place?.index.snapshot.elements).map(Directory.Items.init)
        return children.filter {
            items.contains(id: $0.id) && isWanted(before?.contains(id: $0.id) == true)
        }
    }

    /// The same as ``newChildren``, as a commit of this draft makes them.
    var collectionsInNewItems: [NewChild] {
        if children.isEmpty { return [] }
        return newChildren.compactMap { child in
            items.element(of: child.id).map { NewChild(id: $0.id, make: child.draft.make) }
        }
    }
}
