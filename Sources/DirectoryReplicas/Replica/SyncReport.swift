/// How many changes a sync sent and received, and how many wait.
public struct SyncReport: Hashable, Sendable {
    /// How many items this device told the others about.
    public internal(set) var published = 0
    /// How many items were added, changed, moved or removed here because of others.
    public internal(set) var imported = 0
    /// How many items are known whose files have not arrived.
    public internal(set) var pending = 0
    /// How many items were removed here that others are not told of yet: see ``Replica/Status``.
    public internal(set) var held = 0
    /// How many members of items have several values that nobody has chosen from.
    public internal(set) var conflicts = 0
}
