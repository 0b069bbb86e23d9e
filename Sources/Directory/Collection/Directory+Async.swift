import Dispatch
public import Foundation

/// Each method here does what the one of the same name without `async` does, but does not block
/// the caller's thread while it waits.
extension Directory {
    /// Applies several changes as one: all of them are committed, or none.
    ///
    /// Changes of several tasks that wait at the same time are committed together, so that they
    /// share the time that the disk takes; each of them succeeds or fails on its own. If the
    /// common commit fails, each is tried alone: `body` is then called a second time, with another
    /// draft.
    ///
    /// - Throws: What ``write(_:)`` throws.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout Draft) throws -> Result
    ) async throws -> Result {
        try await core.commits.commit(
            durability, by: { [core] request, body in try core.commit(request, body) }, body)
    }

    /// Reads the index if it changed on disk since it was last read.
    ///
    /// - Throws: What ``load()`` throws.
    public func load() async throws {
        try await perform { try $0.load() }
    }

    /// Writes all changes into the index, and waits until the files that changes removed are
    /// deleted from the disk.
    ///
    /// - Throws: What the synchronous ``checkpoint()`` throws.
    public func checkpoint() async throws {
        try await perform(behindCommits: true) { try $0.checkpoint() }
    }

    /// Ends a conflict between the index and its journal by choosing a side.
    ///
    /// - Throws: What the synchronous method throws.
    public func resolveConflict(keeping side: ConflictSide) async throws {
        try await perform { try $0.resolveConflict(keeping: side) }
    }

    /// Adds `item` at the end.
    ///
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if the `id` is taken.
    public func append(_ item: Item) async throws {
        try await write { draft in try draft.append(item) }
    }

    /// Adds `newItems` at the end, in their order, in one commit.
    ///
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if an `id` is taken.
    public func append(contentsOf newItems: some Sequence<Item> & Sendable) async throws {
        try await write { draft in try draft.append(contentsOf: newItems) }
    }

    /// Adds `item` before the item at `index`.
    ///
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if the `id` is taken,
    ///   `indexOutOfRange` if `index` is not from 0 to the count.
    public func insert(_ item: Item, at index: Int) async throws {
        try await write { draft in try draft.insert(item, at: index) }
    }

    /// Replaces the item that has the id of `item`.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is none.
    public func update(_ item: Item) async throws {
        try await write { draft in try draft.update(item) }
    }

    /// Changes the item with `id` in place, starting from its newest value.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is none. It also throws
    ///   what `change` throws; then nothing changes.
    public func update(
        id: Item.ID, _ change: @escaping @Sendable (inout Item) throws -> Void
    ) async throws {
        try await write { draft in try draft.update(id: id, change) }
    }

    /// Removes the item with `id`, its folder if it is a container, its file if it is an asset.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is none.
    public func remove(id: Item.ID) async throws {
        try await write { draft in try draft.remove(id: id) }
    }

    /// Replaces the item that has the id of `item`, or adds `item` at the end if there is none.
    ///
    /// - Throws: What ``write(_:)`` throws.
    public func updateOrAppend(_ item: Item) async throws {
        try await write { draft in try draft.updateOrAppend(item) }
    }

    /// Removes the items with `ids`, as ``remove(id:)`` does, in one commit.
    ///
    /// - Throws: ``DirectoryError``; its code is `itemNotFound` if there is no item with one of
    ///   them. Then nothing is removed.
    public func remove(ids: some Sequence<Item.ID> & Sendable) async throws {
        try await write { draft in try draft.remove(ids: ids) }
    }

    /// Removes the items for which `shouldBeRemoved` returns true, as ``remove(id:)`` does, in one
    /// commit.
    ///
    /// - Throws: ``DirectoryError``, and what `shouldBeRemoved` throws; then nothing is removed.
    public func removeAll(
        where shouldBeRemoved: @escaping @Sendable (Item) throws -> Bool
    ) async throws {
        try await write { draft in try draft.removeAll(where: shouldBeRemoved) }
    }

    /// Moves the items at `source` before the item that is now at `destination`.
    ///
    /// - Throws: ``DirectoryError``; its code is `indexOutOfRange` if a position is invalid.
    public func move(fromOffsets source: IndexSet, toOffset destination: Int) async throws {
        try await write { draft in
            try draft.move(fromOffsets: source, toOffset: destination)
        }
    }

    /// Sorts the items; those that `comparator` says are the same keep their order.
    ///
    /// - Throws: What ``write(_:)`` throws.
    public func sort(using comparator: some SortComparator<Item> & Sendable) async throws {
        try await write { draft in draft.sort(using: comparator) }
    }

    /// Picks up the changes of other processes as they happen, until the task is cancelled.
    ///
    ///     .task { await projects.watch() }
    ///
    /// Looks at the index several times a second; a look that finds nothing new reads no items.
    /// If a load fails, ``phase`` says so, and the next look tries again.
    ///
    /// - Parameter interval: The time between two looks.
    public func watch(every interval: Duration = .milliseconds(200)) async {
        while !Task.isCancelled {
            // The phase tells observers what failed.
            try? await load()
            try? await Task.sleep(for: interval)
        }
    }
}

extension Directory where Item: Comparable {
    /// Adds `item` at its place in a collection that is in ascending order, after equal items.
    ///
    /// - Throws: ``DirectoryError``; its code is `duplicateID` if the `id` is taken.
    public func insert(_ item: Item) async throws {
        try await write { draft in try draft.insert(item) }
    }

    /// Sorts the items in ascending order; equal items keep their order.
    ///
    /// - Throws: What ``write(_:)`` throws.
    public func sort() async throws {
        try await write { draft in draft.sort() }
    }
}

extension Directory where Item: Container {
    /// Moves items, with their folders and everything in them, to the end of `other`.
    ///
    /// - Throws: What ``transfer(_:to:)`` throws.
    public func transfer(_ ids: [Item.ID], to other: Directory<Item>) async throws {
        try await perform { try $0.transferItems(ids, to: other) }
    }
}

extension Directory where Item: Asset {
    /// Moves items, with their files, to the end of `other`.
    ///
    /// - Throws: What ``transfer(_:to:)`` throws.
    public func transfer(_ ids: [Item.ID], to other: Directory<Item>) async throws {
        try await perform { try $0.transferItems(ids, to: other) }
    }

    /// Moves all files of `stage` into the collection, each with the item that `make` returns.
    ///
    /// Cancelling the task before the commit cancels the insert.
    ///
    /// - Returns: The new items, in the order of the stage.
    /// - Throws: What ``insert(_:progress:_:)`` throws.
    @discardableResult
    public func insert(
        _ stage: Stage, progress: Progress? = nil,
        _ make: @escaping @Sendable (StagedAsset) throws -> Item
    ) async throws -> [Item] {
        let progress = progress ?? Progress(totalUnitCount: 0)
        return try await withTaskCancellationHandler {
            try await perform { try $0.insert(stage, progress: progress, make) }
        } onCancel: {
            progress.cancel()
        }
    }
}

extension Directory where Item == Photo {
    /// Adds a photograph for each file of `stage`, all or none.
    ///
    /// - Returns: The new photographs, in the order of the stage.
    /// - Throws: What ``insert(_:progress:_:)`` throws.
    @discardableResult
    public func insert(_ stage: Stage, progress: Progress? = nil) async throws -> [Photo] {
        try await insert(stage, progress: progress) { staged in Photo(staged) }
    }
}

extension Directory {
    /// The result of `work`, which runs on the queue of this index, or, if `behindCommits`, on
    /// another queue, so that commits can go on meanwhile.
    func perform<Result: Sendable>(
        behindCommits: Bool = false, _ work: @escaping @Sendable (Directory) throws -> Result
    ) async throws -> Result {
        let queue = behindCommits ? DispatchQueue.global(qos: .utility) : core.commits.queue
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(with: Swift.Result { try work(self) })
            }
        }
    }
}
