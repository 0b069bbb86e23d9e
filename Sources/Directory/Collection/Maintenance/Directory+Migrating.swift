extension Directory {
    /// Turns elements that this type cannot decode into items, in place, in one commit.
    ///
    /// Each element of ``damagedItems`` for which `transform` returns an item becomes that item, at
    /// its position; members that the item does not write stay in its line. The other elements stay
    /// as they are. This also works if `load()` fails with `undecodable`, because all elements are
    /// damaged or the options refuse them. An item gets the folder or file that it names, if that
    /// exists and no other item owns it.
    ///
    ///     try notes.migrateDamagedItems { damaged in
    ///         let old = try damaged.decode(OldNote.self)
    ///         return Note(id: UUID(), title: old.title)
    ///     }
    ///
    /// - Parameter transform: Returns the item, or nil to leave the element as it is. If it throws,
    ///   nothing changes. It must not change or load this collection.
    /// - Returns: The number of elements that became items.
    /// - Throws: The error of `transform`, or ``DirectoryError`` with `duplicateID` if an item has the id of another
    ///   one, `undecodable` if the options refuse the damaged elements that would stay, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func migrateDamagedItems(_ transform: (DamagedItem) throws -> Item?) throws -> Int {
        let request = CommitRequest(durability: durability, operation: "migrate", recording: .none)
        return try core.migrateDamagedItems(request) { draft, damaged in
            try Draft.with(&draft) { try $0.migrateDamagedItems(damaged, transform) }
        }
    }

    /// Turns elements that this type cannot decode into items, in place, in one commit.
    ///
    /// - Returns: The number of elements that became items.
    /// - Throws: The error of `transform`, or ``DirectoryError`` with `duplicateID`, `undecodable` and the [codes of
    ///   every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func migrateDamagedItems(
        _ transform: @escaping @Sendable (DamagedItem) throws -> Item?
    ) async throws -> Int {
        try await perform { try $0.migrateDamagedItems(transform) }
    }
}
