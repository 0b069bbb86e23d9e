#if canImport(Combine)
    import Combine
#endif
import Dispatch
import FileSystem
import Foundation
import Observation
import Synchronization

/// What all handles of one index in a process share: its items, its observers and its writer.
///
/// `state` is what readers see; it is locked for moments only, never while the disk works.
/// `writer` is held for a whole load or commit, so these come one after the other.
final class Core<Item: Codable & Identifiable & Sendable>: Sendable
where Item.ID: Sendable {
    typealias Snapshot = Directory<Item>.Snapshot

    struct State: Sendable {
        /// Where the folder was last found; another path or parent may lead to it by now.
        var place: Place
        var snapshot = Snapshot()
        var phase = Directory<Item>.Phase.idle
        var listeners: [Int: AsyncStream<Directory<Item>.Change>.Continuation] = [:]
        var lastListener = 0
        /// The folder of the index, once it was seen or made.
        var identity: FileIdentity?
        /// The transaction folders that stages and commits of this process are using.
        var liveTransactions: Set<FileName> = []
        /// The changes of tasks that wait for the commit before theirs.
        var waiting: [WaitingChange<Item>] = []
        /// Whether the journal is being folded in the background.
        var isFolding = false
    }

    struct Writer: Sendable {
        /// What is on disk, as the snapshot has it.
        var index = IndexState()
        var isLoaded = false
        var hasSwept = false
        /// Why nothing can be written any more.
        var doubt: DirectoryError?
    }

    let store: IndexStore
    let state: Mutex<State>
    let writer = Mutex(Writer())
    let observers = Observers()
    #if canImport(Combine)
        let objectWillChange = ObservableObjectPublisher()
    #endif
    /// Where asynchronous calls wait for the disk, one after the other.
    let queue = DispatchQueue(label: "Directory.commits")
    /// The removal of bytes that committed changes left behind.
    let cleanups = DispatchGroup()

    init(place: Place, store: IndexStore) {
        state = Mutex(State(place: place))
        self.store = store
    }

    deinit {
        close()
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.finish() }
    }

    var place: Place { state.withLock { $0.place } }
    var fileSystem: any FileSystem { store.fileSystem }
    /// The index, for messages.
    var url: URL {
        place.url().appending(path: store.names.index.string, directoryHint: .notDirectory)
    }
    var snapshot: Snapshot { state.withLock { $0.snapshot } }
}

extension Core {
    /// Opens the folder of the index; nil where there is none yet.
    ///
    /// - Throws: ``DirectoryError`` with `containerRemoved` if the folder that this collection
    ///   was opened in is no longer in its place. Nothing is ever made in its stead.
    func openFolder(making: Bool) throws -> Handle? {
        let known = state.withLock { $0.identity }
        for isLastTry in [false, true] {
            let folder = try place.open(making && known == nil)
            guard let known else {
                if let folder { try adopt(folder) }
                return folder
            }
            if let folder, try fileSystem.status(of: folder).identity == known { return folder }
            if !isLastTry { try place.refresh() }
        }
        throw folderRemoved
    }

    private var folderRemoved: DirectoryError {
        DirectoryError(
            .containerRemoved, "open", place.url(), "the folder was removed or replaced")
    }
}

extension Core {
    /// Reads the index if it changed since it was last read, and recovers what a crash left.
    func load() throws {
        try refuseInsideWrite("load")
        setPhase { $0 == .idle ? .loading : $0 }
        do {
            try DirectoryError.describing("load", url) {
                let folder = try openFolder(making: false)
                var changes: [Directory<Item>.Change] = []
                defer { changes.forEach(notify) }
                try withWriter { writer in
                    changes.append(try refresh(folder, &writer, nil))
                    if let folder { changes += try recoverIfFree(folder, &writer) }
                }
            }
            setPhase { _ in .loaded }
        } catch let error as DirectoryError {
            setPhase { _ in .failed(error) }
            throw error
        }
    }

    /// Loads unless that was done before.
    func loadIfNeeded() throws {
        if currentPhase != .loaded { try load() }
    }

    /// Makes the snapshot what is on disk, and returns what that changed.
    func refresh(_ folder: Handle?, _ writer: inout Writer, _ lock: IndexLock?) throws
        -> Directory<Item>.Change
    {
        guard let folder else {
            writer.isLoaded = true
            return publishRead(Snapshot())
        }
        let current = writer.isLoaded ? try store.version(in: folder, lock) : nil
        if let current, current == writer.index.version,
            try !store.mayHaveGrown(writer.index)
        {
            return .init()
        }
        let reader = IndexReader<Item>(options: store.options, url: self.url)
        if let current, let news = try store.news(since: writer.index, current, in: folder) {
            if news.commits.isEmpty {
                writer.index = news.state
                return .init()
            }
            if let snapshot = reader.snapshot(snapshot, after: news.commits) {
                writer.index = news.state
                return publishRead(snapshot)
            }
        }
        let contents = try store.read(in: folder, lock)
        var read = try reader.snapshot(of: contents, in: folder, store)
        try LegacyPhotos.complete(&read.items, in: folder, store)
        writer.index = contents.state
        writer.isLoaded = true
        read.names = LazyNames(of: read.items)
        return publishRead(read)
    }

    private func publishRead(_ snapshot: Snapshot) -> Directory<Item>.Change {
        let previous = self.snapshot
        let change = Directory<Item>.Change(from: previous.items, to: snapshot.items)
        publish(snapshot, change)
        return change
    }

    /// Shows `snapshot` to readers, and `change` to those who follow the changes, in order.
    func publish(_ snapshot: Snapshot, _ change: Directory<Item>.Change) {
        let listeners = state.withLock { state in
            state.snapshot = snapshot
            return change.isEmpty ? [] : Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(change) }
    }
}
