public import Foundation

extension Directory {
    /// Adds the items of another collection of the same type to this one, with all that they own.
    ///
    /// The other one is a copy of this collection, a folder that somebody sent, or an app's old store. Its index has the same
    /// name:
    ///
    ///     let report = try projects.merge(from: folder) { mine, theirs in
    ///         mine.date < theirs.date ? .takeTheirs : .keepMine
    ///     }
    ///
    /// Behaviour:
    /// - Items with new ids are added at the end, in their order, each with its folder and everything in it, or with its
    ///   file. `change` can give them other names; their ids must stay the same.
    /// - Two items with one id are the same if their JSON is, and their files, and what is in their folders: then
    ///   nothing happens. For all others `decide` says what becomes of them. A container counts as a whole: to join
    ///   what is inside two, keep yours, and merge the collections in it.
    /// - It is one commit: all of it or nothing, also in a crash. What it replaces can be brought back if
    ///   ``DirectoryOptions/keepsRemoved`` says so; `undo()` cannot take it back.
    /// - The other collection is copied into the folder of this one first, and checked there. If something of it is damaged
    ///   or missing, as far as `restore(from:progress:)` can tell, nothing changes. It stays as it is itself.
    /// - A second merge from the same folder adds nothing.
    ///
    /// - Parameters:
    ///   - folder: The folder of the other collection.
    ///   - progress: Counts the bytes that are copied, and can cancel that.
    ///   - change: Called with each new item; nil to take it as it is.
    ///   - decide: Called with each two items with one id that are not the same. The closures run while other changes
    ///     wait, and must not change this collection.
    /// - Returns: What was done.
    /// - Throws: ``DirectoryError`` with `damagedCopy` if there is no such index or something is damaged, `nameTaken` if a
    ///   name is taken, `duplicateID`; what the closures throw; and what `write(_:)` throws.
    @discardableResult
    public func merge(
        from folder: URL, progress: Progress? = nil,
        changing change: ((inout Item) throws -> Void)? = nil,
        _ decide: (_ mine: Item, _ theirs: Item) throws -> MergeChoice
    ) throws -> MergeReport {
        let operation = "merge"
        try core.refuseInsideAnyWrite(operation)
        core.commitEdits()
        try core.load()
        return try core.describing(operation) {
            try core.takingIn(folder, operation, progress) { copy, draft, index in
                try copy.merge(into: &draft, of: index, change, decide)
            }
        }
    }

    /// Adds the items of another collection of the same type to this one, with all that they own.
    ///
    /// Cancelling the task cancels it.
    ///
    /// - Throws: What the synchronous `merge(from:progress:changing:_:)` throws.
    @discardableResult
    public func merge(
        from folder: URL, progress: Progress? = nil,
        changing change: (@Sendable (inout Item) throws -> Void)? = nil,
        _ decide: @escaping @Sendable (_ mine: Item, _ theirs: Item) throws -> MergeChoice
    ) async throws -> MergeReport {
        try await cancelling(progress) { progress in
            try await perform {
                try $0.merge(from: folder, progress: progress, changing: change, decide)
            }
        }
    }
}
