import Directory
import Dispatch
public import Foundation
import Observation
import Synchronization

extension Replica {
    /// The activity of a replica, or the thing that it waits for.
    public enum Status: Hashable, Sendable {
        /// Nothing is to be done, as far as the last sync knows.
        case idle
        /// A sync runs.
        case syncing
        /// Changes that have arrived cannot be used yet, because these earlier files have not arrived, or are damaged.
        ///
        /// The device asks the others for them after a minute. A device that has them sends them again when it syncs.
        case waiting(for: [Missing])
        /// Very much was removed here at once, or items that may be in a collection that cannot be read. Others are not
        /// told of that before ``Replica/release(_:)`` is called, or the collection can be read. Everything else goes on.
        case held(Held)
    }

    /// A file of another device that has not arrived.
    public struct Missing: Hashable, Sendable {
        /// The device that writes the file.
        public let device: Device.ID
        /// Its number, counted by that device.
        public let number: Int
    }

    /// A removal that waits for a person.
    public struct Held: Hashable, Sendable {
        /// How many items were removed, those in containers included.
        public var count: Int { items.count }
        let items: Set<ItemReference>
    }

    /// An item that is not shown, or shown in an older version, because its file has not arrived.
    public struct PendingItem: Hashable, Sendable {
        /// The collection: the name of the root, and the names of children behind slashes.
        public let collection: String
        /// The id of the item, as text.
        public let id: String
        /// The name of the file.
        public let fileName: String
        /// The size of the file in bytes.
        public let byteCount: Int
    }

    /// An item that this version of the app cannot read: it is not shown, or shown in an older version.
    ///
    /// A container is one too if the name of its folder is its id, and another container has that name here.
    public struct UnreadableItem: Hashable, Sendable {
        /// The collection: the name of the root, and the names of children behind slashes.
        public let collection: String
        /// The id of the item, as text.
        public let id: String
    }

    /// A collection of this device that cannot be read, so that nothing in it is told to others or changed here.
    public struct UnreadableCollection: Hashable, Sendable {
        /// The file or folder that cannot be read.
        public let url: URL
        /// Why it cannot be read, for developers.
        public let reason: String
    }

    /// A file or folder in the shared folder that is left alone, or a file of this device that others need and that cannot
    /// be read.
    public struct UnusedFile: Hashable, Sendable {
        /// The path in the shared folder; of a file of this device, the whole path.
        public let path: String
        /// Why it is not used.
        public let reason: String
    }

    /// The activity of the replica, or the thing that it waits for, observed.
    public var status: Status { observed(\.status) { $0.status } }

    /// The items whose files have not arrived, observed.
    public var pending: [PendingItem] { observed(\.pending) { $0.pending } }

    /// The items that this version of the app cannot read, observed.
    public var unreadableItems: [UnreadableItem] { observed(\.unreadableItems) { $0.unreadable } }

    /// The collections of this device that cannot be read, observed.
    ///
    /// Everything else is synced, unless this device has published nothing yet. Other devices keep what is in these
    /// collections, and their changes are imported as soon as the collections can be read again. `Directory.verify(below:)`
    /// says more about each one.
    public var unreadableCollections: [UnreadableCollection] {
        observed(\.unreadableCollections) { $0.unreadableCollections }
    }

    /// The files of the shared folder that are left alone, and those of this device that others need but that cannot be
    /// read, observed.
    ///
    /// An item whose file cannot be read is told to others without the file, and they show it as soon as the file can be
    /// read and has arrived.
    public var unusedFiles: [UnusedFile] { observed(\.unusedFiles) { $0.unusedFiles } }

    /// Lets the next sync tell other devices of a removal that was held.
    ///
    /// - Parameter held: The value in ``status``. What is removed later is told, or held, by itself.
    /// - Throws: ``ReplicaError`` with `notFound` if nothing is held.
    public func release(_ held: Held) throws {
        try sessions.use(root.url) { session in
            guard !session.notes.held.isEmpty else {
                throw ReplicaError(.notFound, root.url, "nothing is held")
            }
            session.released.formUnion(held.items)
        }
    }
}

extension Replica {
    func observed<Value>(
        _ path: any KeyPath<Replica, Value> & Sendable, _ value: (Published) -> Value
    ) -> Value {
        registrar.access(self, keyPath: path)
        return published.withLock { value($0) }
    }

    /// Changes the published values, and tells observers on the main thread.
    func show(_ change: (inout Published) -> Void) {
        let old = published.withLock { published in
            defer { change(&published) }
            return published
        }
        let new = published.withLock { $0 }
        tell(\.status, old.status != new.status)
        tell(\.pending, old.pending != new.pending)
        tell(\.conflicts, old.conflicts != new.conflicts)
        tell(\.devices, old.devices != new.devices)
        tell(\.unreadableItems, old.unreadable != new.unreadable)
        tell(
            \.unreadableCollections, old.unreadableCollections != new.unreadableCollections)
        tell(\.unusedFiles, old.unusedFiles != new.unusedFiles)
    }

    func show(_ news: Published) { show { $0 = news } }

    private func tell<Value>(_ path: any KeyPath<Replica, Value> & Sendable, _ hasChanged: Bool) {
        guard hasChanged else { return }
        let tell = { @Sendable [self] in registrar.withMutation(of: self, keyPath: path) {} }
        if Thread.isMainThread { tell() } else { DispatchQueue.main.async(execute: tell) }
    }
}

extension Session {
    /// The published values after a call.
    var news: Replica.Published {
        var news = Replica.Published()
        if !notes.held.isEmpty {
            news.status = .held(.init(items: notes.held))
        } else if !notes.missing.isEmpty {
            news.status = .waiting(
                for: notes.missing.sorted { $0.key < $1.key }.map {
                    .init(device: .init($0.key), number: $0.value)
                })
        }
        news.pending = notes.pending.map {
            .init(
                collection: $0.item.kind, id: $0.item.key.id, fileName: $0.file.name,
                byteCount: $0.file.size)
        }.sorted { $0.id < $1.id }
        news.unreadable = Set(notes.unreadable).map {
            .init(collection: $0.kind, id: $0.key.id)
        }.sorted { $0.id < $1.id }
        news.unreadableCollections = unreadable.values.map {
            .init(url: $0.url, reason: $0.reason)
        }.sorted { $0.url.path < $1.url.path }
        let unread = notes.unreadAssets.merging(notes.unsentAssets) { first, _ in first }
        let unused: Set<Replica.UnusedFile> = Set(
            notes.skipped.map { .init(path: $0.path, reason: $0.reason) }
                + unread.values.map { .init(path: $0.path, reason: $0.reason) })
        news.unusedFiles = unused.sorted { ($0.path, $0.reason) < ($1.path, $1.reason) }
        news.conflicts = notes.conflicts.map(Replica.Conflict.init)
        news.devices = notes.devices
        return news
    }
}
