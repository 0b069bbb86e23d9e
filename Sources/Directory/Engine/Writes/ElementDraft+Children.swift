import FileSystem
import Foundation

extension ElementDraft {
    /// Changes the collection `name` inside the element with `id`, which has elements that `type` reads, as part of the
    /// same commit.
    ///
    /// - Throws: The error of `body`; ``DirectoryError`` with `itemNotFound`, `optionsDiffer`, `nestedWrite`,
    ///   `invalidName`, `nameTaken`, `invalidLocation` or `locked`.
    mutating func change(
        _ name: String, _ type: any ElementReader.Type, of id: ElementID,
        _ body: (inout ElementDraft) throws -> Void
    ) throws {
        let position = children.firstIndex { $0.id == id && $0.name == name }
        var draft: ElementDraft
        if let position {
            let known = children[position].draft
            guard Swift.type(of: known.reader) == type else {
                throw DirectoryError(
                    .optionsDiffer, "change \(name) in", url,
                    "this write has opened it with items of another type")
            }
            try known.write?.session.checkThatItLasts(url)
            draft = known
        } else {
            draft = try open(name, type, of: id)
            if step != nil { draft.beginStep() }
        }
        // The lock is held from now on, also if `body` throws.
        let place = position ?? children.count
        if position == nil { children.append(ChildDraft(id: id, name: name, draft: draft)) }
        let own = draft.write
        try body(&draft)
        try draft.checkThatItBelongs(to: own)
        children[place].draft = draft
    }

    /// Throws if another draft was assigned to this one.
    func checkThatItBelongs(to write: CollectionWrite?) throws {
        guard self.write === write else {
            throw DirectoryError(
                .nestedWrite, "change", url,
                "the draft of another collection or write was assigned to its draft",
                remedy: "Change the draft that the closure is given.",
                people: .init(reason: "the app mixed up two changes"))
        }
    }

    /// The draft of a collection inside the element with `id`, as it is now.
    private func open(_ name: String, _ type: any ElementReader.Type, of id: ElementID) throws
        -> ElementDraft
    {
        guard let write else { throw cannotReachIntoElements }
        try write.session.checkThatItLasts(url)
        var draft =
            if let (core, index) = write.place, index.snapshot.elements.contains(id) {
                try write.session.draft(of: name, type, of: id, in: core, index)
            } else {
                try newDraft(of: name, type, of: id, write)
            }
        draft.files.staged = StagedFiles(write.session.assets)
        return draft
    }

    var cannotReachIntoElements: DirectoryError {
        DirectoryError(.nestedWrite, "change", url, "this draft cannot reach into its items")
    }

    /// The draft of a collection in a container that the write adds.
    private func newDraft(
        of name: String, _ type: any ElementReader.Type, of id: ElementID, _ write: CollectionWrite
    ) throws -> ElementDraft {
        let folder = url.deletingLastPathComponent()
            .appending(path: elements[id]?.folder?.text ?? "")
        let names = try IndexNames(stem: name, in: folder)
        let options = reader.options.forChildren
        let index = folder.appending(path: names.index.string)
        return ElementDraft(
            .empty, type.init(options, url: index),
            of: CollectionWrite(session: write.session, place: nil))
    }
}

extension WriteSession {
    /// The draft of a collection inside an existing container; takes the collection's lock.
    fileprivate func draft(
        of name: String, _ type: any ElementReader.Type, of id: ElementID, in core: Core,
        _ index: LockedIndex
    ) throws -> ElementDraft {
        try core.describing("open \(name) in") {
            let location = ContainerLocation(collection: core, id: id)
            // Commits of a child must not be lost with the item.
            try index.makeDurable()
            let folder = try index.folder.openOrMake(location.checkedName(in: index.snapshot))
            let store = IndexStore(
                fileSystem: core.fileSystem, names: try IndexNames(stem: name, in: folder.url),
                options: core.store.options.forChildren, volume: core.store.volume)
            let found = try Registry.shared.core(in: folder, at: location, store, type)
            let write = try lock(found, in: IndexFolder(store: found.store, handle: folder))
            return ElementDraft(found.snapshot, found.reader, of: write)
        }
    }
}
