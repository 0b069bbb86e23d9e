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
    /// some shells allow a process 256 open files: there, one write can change about 70 collections, also if changes of
    /// other tasks wait with it. A write to more collections throws, and nothing changes. `setrlimit` raises the limit.
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
        var result: Result?
        let element = items.element(at: try position(of: id, "change \(child.name) in"))
        try base.change(child.name, ItemCoding<C>.self, of: element.id) { draft in
            result = try Directory<C>.Draft.with(&draft, body)
        }
        guard let result else { throw base.cannotReachIntoElements }
        return result
    }
}
