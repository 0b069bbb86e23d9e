import Dispatch
public import Foundation

extension Directory {
    /// Writes all changes into the index, and waits until the files that changes removed are
    /// deleted from the disk.
    ///
    /// - Throws: What the synchronous ``checkpoint()`` throws.
    public func checkpoint() async throws {
        try await perform(behindCommits: true) { try $0.checkpoint() }
    }

    /// Ends the use of the collection in this process, and leaves only plain files.
    ///
    /// Changes of tasks that wait for a commit already are committed first.
    ///
    /// - Throws: What the synchronous method throws.
    public func close() async throws {
        try await perform { try $0.close() }
    }

    /// Ends a conflict between the index and its journal by choosing a side.
    ///
    /// - Throws: What the synchronous method throws.
    public func resolveConflict(keeping side: ConflictSide) async throws {
        try await perform { try $0.resolveConflict(keeping: side) }
    }

    /// Compares the index with the files in the folder, and changes neither.
    ///
    /// - Returns: The findings; none if all is well.
    /// - Throws: What the synchronous method throws.
    public func verify() async throws -> [Finding] {
        try await perform { try $0.verify() }
    }

    /// Repairs what `verify()` finds, without deleting any bytes.
    ///
    /// - Returns: What was done, one by one.
    /// - Throws: What the synchronous method throws.
    @discardableResult
    public func repair() async throws -> [Repair] {
        try await perform { try $0.repair() }
    }
}

extension Directory {
    /// The items that were removed recently, and those whose files were replaced; the newest removal comes first.
    ///
    /// - Returns: The items that can be decoded.
    /// - Throws: What the synchronous method throws.
    public func recentlyRemoved() async throws -> [RemovedItem] {
        try await perform { try $0.recentlyRemoved() }
    }

    /// Brings removed items back, each to the position that it had, with its folder and everything in it, or with its
    /// file.
    ///
    /// The ids are those that `recentlyRemoved()` gave. The closure can change each item; its id must stay the same.
    ///
    /// - Returns: The items as they are in the collection now.
    /// - Throws: What the synchronous method throws.
    @discardableResult
    public func bring(
        back ids: some Sequence<RemovedItemID> & Sendable,
        _ change: (@Sendable (inout Item) throws -> Void)? = nil
    ) async throws -> [Item] {
        try await perform { try $0.bring(back: ids, change) }
    }

    /// Removes for good what was removed recently, and frees its space.
    ///
    /// - Parameter ids: The ids that `recentlyRemoved()` gave the removed items.
    /// - Throws: What the synchronous method throws.
    public func removeForGood(_ ids: some Sequence<RemovedItemID> & Sendable) async throws {
        try await perform { try $0.removeForGood(ids) }
    }
}

extension Directory where Item: Asset {
    /// Repairs what `verify()` finds, and gives orphans an item again.
    ///
    /// - Parameter adopt: Returns an item that owns the orphan, or nil to set it aside. It must not
    ///   change or load this collection.
    /// - Returns: What was done, one by one.
    /// - Throws: What the synchronous method throws.
    @discardableResult
    public func repair(
        adopting adopt: @escaping @Sendable (OrphanAsset) throws -> Item?
    ) async throws -> [Repair] {
        try await perform { try $0.repair(adopting: adopt) }
    }
}

extension Directory where Item == Photo {
    /// Repairs what `verify()` finds; orphans become photographs again.
    ///
    /// - Returns: What was done, one by one.
    /// - Throws: What the synchronous method throws.
    @discardableResult
    public func repair() async throws -> [Repair] {
        try await perform { try $0.repair() }
    }
}

extension Directory where Item == Never {
    /// Looks at all collections in a folder and below it, at any depth, whatever the types of their items
    /// are, and changes nothing.
    ///
    /// Cancelling the task cancels it.
    ///
    /// - Parameter folder: The absolute file URL of a folder.
    /// - Returns: The findings, by path; none if all is well.
    /// - Throws: What the synchronous method throws, and ``DirectoryError`` with `cancelled`.
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
