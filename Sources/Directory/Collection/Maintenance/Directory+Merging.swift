public import Foundation

extension Directory {
    /// Adds the items of another collection of the same type to this one, with everything that they own.
    ///
    /// The other collection is a copy of this one, a folder that somebody sent, or an app's old store. Its index has
    /// the same name:
    ///
    ///     let report = try projects.merge(from: folder) { mine, theirs in
    ///         mine.date < theirs.date ? .takeTheirs : .keepMine
    ///     }
    ///
    /// Behaviour:
    /// - Items with new ids are added at the end, in their order, each with its folder and everything in it, or with
    ///   its file. `change` can give them other names, but no other ids.
    /// - Two items with one id are the same if their JSON, their files and the contents of their folders are the same:
    ///   then nothing happens. For all others, `decide` chooses. It chooses whole containers: to join the contents of
    ///   two containers, keep yours, and merge the collections in it.
    /// - It is one commit: all of it or nothing, also in a crash. Replaced items can be brought back if
    ///   ``DirectoryOptions/keepsRemoved`` is set; `undo()` cannot undo a merge.
    /// - The other collection is first copied into the folder of this one, and checked there. If a part of it is
    ///   damaged or missing, as far as `restore(from:progress:)` can tell, nothing changes. The other collection
    ///   itself stays as it is.
    /// - A second merge from the same folder adds nothing.
    ///
    /// - Parameters:
    ///   - folder: The folder of the other collection.
    ///   - progress: Counts the bytes that are copied, and can cancel the copying.
    ///   - change: Called with each new item; nil to add it unchanged.
    ///   - decide: Called with two items that have one id and differ. Both closures run while other changes wait, and
    ///     must not change this collection.
    /// - Returns: The ids of the added, replaced and kept items, and the files that are no part of the other
    ///   collection.
    /// - Throws: The error of a closure, or ``DirectoryError`` with `damagedCopy` if there is no such index or a part
    ///   of it is damaged, `nameTaken`, `duplicateID`, `invalidLocation` if the copy is in the folder of an item, and
    ///   the [codes of every change](doc:Errors#Codes-of-every-change).
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
        var report = MergeReport()
        try core.describing(operation) {
            try core.takingIn(folder, operation, progress) { copy, draft, index in
                report = try Draft.with(&draft) { try $0.merge(copy, in: index, change, decide) }
            }
        }
        return report
    }

    /// Adds the items of another collection of the same type to this one, with everything that they
    /// own.
    ///
    /// Cancelling the task cancels the merge.
    ///
    /// - Throws: The error of a closure, `CancellationError`, or ``DirectoryError`` with `damagedCopy`, `nameTaken`,
    ///   `duplicateID` and the [codes of every change](doc:Errors#Codes-of-every-change).
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
