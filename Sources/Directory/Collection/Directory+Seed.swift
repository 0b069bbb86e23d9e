import Dispatch
public import Foundation

extension Directory {
    /// Opens the collection in `parent` whose index is `fileName`; a preview is only in memory.
    ///
    /// A preview is in a ``MemoryVolume`` of its own at `parent`, which lives as long as the
    /// collection: it runs the same engine, begins empty, and shares no data with another preview.
    ///
    /// - Throws: ``DirectoryError`` with `invalidLocation`, `accessDenied` or `optionsDiffer`.
    public convenience init(parent: URL, fileName: String, isPreview: Bool = false) throws {
        let volume = isPreview ? MemoryVolume(at: parent) : nil
        let place = volume.map { Place(folder: $0.url, volume: $0) } ?? Place(of: parent)
        try self.init(at: place, index: fileName)
    }

    /// The items; the same as ``items``.
    public var fetchedItems: Items { items }

    /// Loads the items, as `load()` does, and gives an error to `errorHandler` instead of throwing
    /// it.
    ///
    /// - Parameters:
    ///   - mode: The thread or the queue to work on.
    ///   - errorHandler: Called with the error; in asynchronous mode on the main thread. ``phase``
    ///     has the error in any case.
    public func fetch(_ mode: FetchMode, errorHandler: (@Sendable (any Error) -> Void)? = nil) {
        switch mode {
        case .sync:
            do { try load() } catch { errorHandler?(error) }
        case .async(let queue):
            queue.async { [self] in
                do { try load() } catch { MainThread.run { errorHandler?(error) } }
            }
        }
    }

    /// Removes the items at `offsets`, each as `remove(id:)` does, in one commit.
    ///
    /// - Parameter offsets: Positions in ``items`` at the time of the call.
    /// - Throws: ``DirectoryError`` with `indexOutOfRange` if a position is invalid, `itemNotFound` if another process
    ///   has removed one of the items, and the [codes of every change](doc:Errors#Codes-of-every-change).
    public func delete(at offsets: IndexSet) throws {
        try remove(ids: ids(at: offsets, in: shownItems(), "delete from"))
    }

    /// Removes `item`; the same as `remove(id:)` with its id.
    ///
    /// - Throws: ``DirectoryError`` with `itemNotFound` if the collection has no such item, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func delete(item: Item) throws {
        try remove(id: item.id)
    }

    /// Moves items; the same as `move(fromOffsets:toOffset:)`.
    ///
    /// - Throws: ``DirectoryError`` with `indexOutOfRange` if a position is invalid, and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func move(from source: IndexSet, to destination: Int) throws {
        try move(fromOffsets: source, toOffset: destination)
    }
}
