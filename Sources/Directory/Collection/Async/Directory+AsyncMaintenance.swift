import Dispatch
public import Foundation

extension Directory {
    /// Writes all changes into the index, and waits until removed files are deleted from the disk.
    ///
    /// - Throws: ``DirectoryError`` with `noSpace`, `readOnly`, `unfinishedChange` and the [codes of every
    ///   load](doc:Errors#Codes-of-every-load).
    public func checkpoint() async throws {
        try await perform(behindCommits: true) { try $0.checkpoint() }
    }

    /// Ends the use of the collection in this process, and leaves only plain files.
    ///
    /// Changes of tasks that already wait for a commit are committed first.
    ///
    /// - Throws: ``DirectoryError`` with `noSpace` and the [codes of every load](doc:Errors#Codes-of-every-load).
    public func close() async throws {
        try await perform { try $0.close() }
    }

    /// Ends a conflict between the index and its journal by choosing a side.
    ///
    /// - Throws: ``DirectoryError`` with `noSpace` and the [codes of every load](doc:Errors#Codes-of-every-load).
    public func resolveConflict(keeping side: ConflictSide) async throws {
        try await perform { try $0.resolveConflict(keeping: side) }
    }

    /// Compares the index with the files in the folder, and changes neither.
    ///
    /// - Returns: The findings; empty if index and files agree.
    /// - Throws: ``DirectoryError`` with the [codes of every load](doc:Errors#Codes-of-every-load).
    public func verify() async throws -> [Finding] {
        try await perform { try $0.verify() }
    }

    /// Repairs the findings of `verify()`, without deleting any bytes.
    ///
    /// - Returns: The repairs, one by one.
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func repair() async throws -> [Repair] {
        try await perform { try $0.repair() }
    }
}

extension Directory {
    /// The items that were removed recently, and those whose files were replaced; the newest removal is first.
    ///
    /// - Returns: The items that can be decoded.
    /// - Throws: ``DirectoryError`` with the [codes of every load](doc:Errors#Codes-of-every-load).
    public func recentlyRemoved() async throws -> [RemovedItem] {
        try await perform { try $0.recentlyRemoved() }
    }

    /// Brings removed items back, each to its old position, with its folder and everything in it, or with its file.
    ///
    /// The ids are those that `recentlyRemoved()` gave. The closure can change each item, but not its id.
    ///
    /// - Returns: The items as they are in the collection now.
    /// - Throws: The error of `change`, or ``DirectoryError`` with `itemNotFound`, `duplicateID`, `nameTaken`,
    ///   `undoConflict` and the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func bring(
        back ids: some Sequence<RemovedItemID> & Sendable,
        _ change: (@Sendable (inout Item) throws -> Void)? = nil
    ) async throws -> [Item] {
        try await perform { try $0.bring(back: ids, change) }
    }

    /// Removes recently removed items for good, and frees their space.
    ///
    /// - Parameter ids: The ids that `recentlyRemoved()` gave the removed items.
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    public func removeForGood(_ ids: some Sequence<RemovedItemID> & Sendable) async throws {
        try await perform { try $0.removeForGood(ids) }
    }
}

extension Directory where Item: Asset {
    /// Repairs the findings of `verify()`, and gives orphans an item again.
    ///
    /// - Parameter adopt: Returns an item that owns the orphan, or nil to set it aside. It must not
    ///   change or load this collection.
    /// - Returns: The repairs, one by one.
    /// - Throws: The error of `adopt`, or ``DirectoryError`` with the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func repair(
        adopting adopt: @escaping @Sendable (OrphanAsset) throws -> Item?
    ) async throws -> [Repair] {
        try await perform { try $0.repair(adopting: adopt) }
    }
}

extension Directory where Item == Photo {
    /// Repairs the findings of `verify()`; orphans become photographs again.
    ///
    /// - Returns: The repairs, one by one.
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func repair() async throws -> [Repair] {
        try await perform { try $0.repair() }
    }
}

extension Directory where Item == Never {
    /// Checks all collections in a folder and below it, at any depth, without the types of their items, and changes
    /// nothing.
    ///
    /// Cancelling the task cancels it.
    ///
    /// - Parameter folder: The absolute file URL of a folder.
    /// - Returns: The findings, by path; empty if all collections are intact.
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `invalidLocation`, `accessDenied`, `locked`, or
    ///   `ioFailure`.
    public static func verify(below folder: URL) async throws -> [Finding] {
        try await cancelling(nil) { progress in
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(with: Swift.Result { try verify(below: folder, progress) })
                }
            }
        }
    }
}
