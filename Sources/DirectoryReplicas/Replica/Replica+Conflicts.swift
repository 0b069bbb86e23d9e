import FileSystem
public import Foundation

extension Replica {
    /// A member of an item to which several devices gave different values, without knowing of each other.
    public struct Conflict: Hashable, Sendable, Identifiable {
        /// One of the values.
        public struct Value: Hashable, Sendable {
            /// The value as JSON; nil if the member was removed.
            public let json: String?
            /// The device that wrote the value.
            public let device: Device.ID
            /// When the value was written, by the clock of that device.
            public let date: Date
        }

        /// Identifies the conflict.
        public var id: String { "\(collection) \(item.key.text) \(member)" }
        /// The collection: the name of the root, and the names of children behind slashes.
        public var collection: String { item.kind }
        /// The id of the item, as text.
        public var itemID: String { item.key.id }
        /// The name of the member.
        public let member: String
        /// The values; the first one is shown.
        public let values: [Value]
        let item: ItemReference

        init(_ note: ConflictNote) {
            (item, member) = (note.item, note.member)
            values = note.values.map { entry in
                Value(
                    json: entry.value.map { String(decoding: $0, as: UTF8.self) },
                    device: Device.ID(entry.stamp.dot.device),
                    date: Date(timeIntervalSince1970: Double(entry.stamp.time) / 1000))
            }
        }
    }

    /// The members with several values, of which one is shown, observed.
    ///
    /// A conflict ends when a device that has seen its values writes the member again.
    public var conflicts: [Conflict] { observed(\.conflicts) { $0.conflicts } }

    /// Ends a conflict: all devices show `value`.
    ///
    /// When this returns, the item has the value, and the change is in the shared folder.
    /// If several devices gave the item another file, and one of these files came with the value, the item gets that
    /// file, and the other values that came with it.
    ///
    /// - Parameters:
    ///   - conflict: One of ``conflicts``.
    ///   - value: One of its values.
    /// - Throws: ``ReplicaError`` with `notFound` if the conflict ended meanwhile or does not have this value, and the
    ///   [codes of every sync](doc:SeveralDevices#Codes-of-every-sync).
    public func resolve(_ conflict: Conflict, keeping value: Conflict.Value) throws {
        try resolve(conflict, keeping: value, Cancellation())
    }

    private func resolve(
        _ conflict: Conflict, keeping value: Conflict.Value, _ cancellation: Cancellation
    ) throws {
        let news = try sessions.use(root.url, until: cancellation) { session in
            try session.resolve(
                conflict.item, conflict.member, value.json.map { Array($0.utf8)[...] })
            return session.news
        }
        show(news)
    }

    /// Does the same as the synchronous method, but does not block the caller's thread while it waits.
    ///
    /// If its task is cancelled before the value is published, the conflict stays.
    ///
    /// - Throws: `CancellationError`, or ``ReplicaError`` with `notFound` and the [codes of every
    ///   sync](doc:SeveralDevices#Codes-of-every-sync).
    public func resolve(_ conflict: Conflict, keeping value: Conflict.Value) async throws {
        try await perform { try $0.resolve(conflict, keeping: value, $1) }
    }
}
