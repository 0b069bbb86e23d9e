import Synchronization

/// One item as a binding reads and edits it.
final class ItemEditor<Item: Codable & Identifiable & Sendable>: Sendable
where Item.ID: Sendable {
    private let directory: Directory<Item>
    private let id: Item.ID
    private let onError: @Sendable (any Error) -> Void
    /// What was read last: an edit begins from that, not from what others commit meanwhile.
    private let seen: Mutex<(item: Item, base: PendingEdits<Item>.Base)>

    /// Nil if there is no item with `id`.
    init?(
        _ id: Item.ID, of directory: Directory<Item>,
        onError: @escaping @Sendable (any Error) -> Void
    ) {
        guard let found = directory.core.edited(id) else { return nil }
        seen = Mutex(found)
        self.directory = directory
        self.id = id
        self.onError = onError
    }

    /// The item with the edits that are not committed; the last value if it was removed.
    var value: Item {
        get {
            let found = directory.core.edited(id)
            return seen.withLock { seen in
                if let found { seen = found }
                return seen.item
            }
        }
        set {
            let base = directory.core.add(
                PendingEdits.Edit(
                    item: newValue, base: seen.withLock { $0.base },
                    durability: directory.durability, onError: onError))
            // Edits of one item share what they began from.
            seen.withLock { $0 = (newValue, base) }
        }
    }
}

extension Core {
    /// The item with `id` as bindings show it, observed on its own; nil if there is none.
    fileprivate func edited(_ id: Item.ID) -> (item: Item, base: PendingEdits<Item>.Base)? {
        broadcaster.observers.edited.access(id.hashValue)
        if let edit = edits.edit(of: id) { return (edit.item, edit.base) }
        return snapshot.items.slot(of: id).map { ($0.item, .init($0.line)) }
    }
}
