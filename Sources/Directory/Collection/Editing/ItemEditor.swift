/// One item as a binding reads and edits it; an edit is saved soon.
struct ItemEditor<Item: Codable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    private let edit: Directory<Item>.ItemDraft
    private let onError: @Sendable (any Error) -> Void

    /// Nil if there is no item with `id`.
    init?(
        _ id: Item.ID, of directory: Directory<Item>,
        onError: @escaping @Sendable (any Error) -> Void
    ) {
        guard let edit = Directory<Item>.ItemDraft(id, of: directory, sharingEdits: true) else {
            return nil
        }
        self.edit = edit
        self.onError = onError
    }

    /// The item with its pending edits; the last value if it was removed.
    var value: Item {
        get { edit.item }
        nonmutating set { edit.saveSoon(newValue, onError: onError) }
    }
}
