package import FileSystem
package import Foundation

/// A collection by its lines, whatever the type of its items is, for replicas, which are a module of their own.
///
/// It stays open as long as this object is held.
package final class LineCollection: Sendable {
    let core: Core

    init(_ core: Core) {
        self.core = core
        core.addHandle()
    }

    package convenience init<Item>(_ directory: Directory<Item>) { self.init(directory.core) }

    deinit { core.removeHandle() }

    /// The URL of the index, for messages.
    package var url: URL { core.url }
    package var options: DirectoryOptions { core.store.options }
    /// The options of collections that items hold.
    package var optionsOfChildren: DirectoryOptions { core.store.options.forChildren }
    /// The file system that the collection is on.
    package var disk: any FileSystem { core.fileSystem }
    /// The name of the index without its extension.
    package var stem: FileName { core.store.names.stem }
    /// The name of the machine that this process runs on.
    package var machine: String { core.store.options.machine }
    /// The lines, as they were last read.
    package var lines: CollectionLines { .init(elements: core.snapshot.elements) }
    /// The ids of elements that are no items, without repeated ones, each nil if it cannot be read.
    package var idsOfDamagedLines: [ElementID?] {
        core.snapshot.damaged.filter { $0.duplicated == nil }.map(\.id)
    }
}

extension LineCollection {
    /// Opens the collection `name` that the item with `id` holds, whose lines `coding` reads.
    ///
    /// - Returns: Nil if the item is not there, or is being removed.
    package func child(_ name: String, _ coding: LineCoding, of id: ElementID) throws
        -> LineCollection?
    {
        do {
            return LineCollection(
                try core.child(name, type(of: coding.reader), of: id, optionsOfChildren))
        } catch let error as DirectoryError
            where [.itemNotFound, .containerRemoved].contains(error.code)
        {
            return nil
        }
    }

    /// Loads, puts the index on stable storage, and returns the lines.
    ///
    /// - Throws: ``DirectoryError`` with the [codes of every load](doc:Errors#Codes-of-every-load).
    package func loadDurably() throws -> CollectionLines {
        try core.load()
        let lines = lines
        try core.describing("sync") {
            guard let folder = try core.openFolder(making: false) else { return }
            try core.makeDurable(in: folder)
        }
        return lines
    }

    /// Commits the changes that `body` makes to a draft, as changes of others, which this process cannot undo.
    ///
    /// `stage` has the files that `body` can give to items, here and in collections that items hold. `body` runs again
    /// if it changes a collection inside an item, or the folder of an item, that others use just now.
    ///
    /// - Throws: The error of `body`, or ``DirectoryError`` with `stageClosed` and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    package func write<Result>(
        importing stage: Stage?, _ body: (inout ElementDraft, [StagedAsset]) throws -> Result
    ) throws -> Result {
        let assets = try stage?.beginInsert() ?? []
        let request = CommitRequest(
            durability: .durable, operation: "import changes of other devices into",
            importing: stage.map { Import($0, assets) { _ in } }, stage: stage?.name,
            recording: .restoring)
        guard let stage else { return try core.commit(request) { try body(&$0, assets) } }
        do {
            let (result, used) = try core.commit(request) { draft in
                let result = try body(&draft, assets)
                return (result, try draft.filesInOrder(of: assets))
            }
            stage.didInsert(used)
            return result
        } catch {
            stage.didFailToInsert()
            throw error
        }
    }

    /// Calls `body` after each change, until the collection is closed or the task is cancelled.
    package func follow(_ body: @escaping @Sendable () -> Void) async {
        let changes = core.broadcaster.streams.subscribe()
        for await _ in changes.signals where changes.take() != nil { body() }
    }
}
