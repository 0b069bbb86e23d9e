public import Observation
import Synchronization

extension Directory {
    /// A draft of one item, for a form that saves or discards it.
    ///
    /// Until the draft is changed, it shows the newest state of the item. From its first change on,
    /// commits do not change the draft, until it is saved or discarded:
    ///
    ///     let edit = notes.edit(id)          // kept by the form
    ///     edit.item.title = "Groceries"
    ///     if edit.isChanged { try edit.save() }
    ///
    /// If others changed the item after the draft was begun, ``conflict`` lists their changes, and
    /// `save(overwriting:)` refuses to overwrite them. All properties are observed.
    public final class ItemDraft: Observable, Sendable {
        /// The collection, which this draft keeps open.
        let directory: Directory
        /// The id of the item.
        public let id: Item.ID
        /// Whether this draft shows pending edits of bindings, and adds its own to them.
        private let sharesEdits: Bool
        private let state: Mutex<State>
        private let registrar = ObservationRegistrar()

        private struct State: Sendable {
            /// The value that was read last: a draft begins from it, not from later commits.
            var seen: (item: Item, base: PendingEdits.Base)
            var draft: Item? { didSet { changes += 1 } }
            /// How often `draft` was set: if it is set again during a save, it stays.
            private(set) var changes = 0
        }

        /// Nil if there is no item with `id`.
        init?(_ id: Item.ID, of directory: Directory, sharingEdits sharesEdits: Bool = false) {
            guard let found = directory.newest(id, withEdits: sharesEdits) else { return nil }
            state = Mutex(State(seen: found))
            self.sharesEdits = sharesEdits
            self.directory = directory
            self.id = id
        }
    }

    /// A draft of the item with `id`; nil if there is no such item.
    ///
    /// Nothing is read from disk, and nothing is written before the draft is saved.
    public func edit(_ id: Item.ID) -> ItemDraft? { ItemDraft(id, of: self) }
}

extension Directory.ItemDraft {
    /// The item with the unsaved changes; its last value if it was removed.
    ///
    /// Setting it begins a draft, from the value that this property returned last.
    public var item: Item {
        get {
            if let draft { return draft }
            let found = newest
            return state.withLock { state in
                if state.draft == nil, let found { state.seen = found }
                return state.draft ?? state.seen.item
            }
        }
        set { change { $0.draft = newValue } }
    }

    /// The item as it was when the draft was begun.
    public var original: Item {
        let found = draft == nil ? newest?.item : nil
        return found ?? state.withLock { $0.seen.item }
    }

    /// Whether the JSON of the draft differs from the JSON of the item that it began from.
    public var isChanged: Bool {
        guard let draft else { return false }
        let original = state.withLock { $0.seen.item }
        let coding = directory.coding
        guard let old = try? coding.element(of: original) else { return true }
        return old.line != (try? coding.element(of: draft, replacing: old).line)
    }

    /// The changes of others since the draft was begun; nil if there are none, or if there is no
    /// draft.
    public var conflict: Conflict? {
        guard draft != nil else { return nil }
        _ = directory[id: id]
        let line = state.withLock { $0.seen.base.line }
        return Conflict(of: id, in: directory, since: line)
    }

    /// Commits the draft; it is on disk when this method returns.
    ///
    /// Nothing is written if nothing is changed. If the change cannot be committed, the draft
    /// stays.
    ///
    /// - Parameter overwriting: Whether to commit the draft also if others changed the item after
    ///   the draft was begun; all their changes in this item are then lost.
    /// - Throws: ``DirectoryError`` with `itemChanged` if others changed the item and `overwriting` is false; its
    ///   message names the changed members, and so does ``conflict``. Also `itemNotFound` if the item was removed,
    ///   `invalidID` if the draft has another id, and the [codes of every change](doc:Errors#Codes-of-every-change).
    public func save(overwriting: Bool = false) throws {
        guard let saved = beginSaving() else { return }
        let line = try directory.write { try self.apply(saved.draft, overwriting, to: &$0) }
        endSaving(saved, as: line)
    }

    /// Commits the draft, without blocking the caller's thread while it waits.
    ///
    /// - Parameter overwriting: Whether to commit the draft also if others changed the item after
    ///   the draft was begun.
    /// - Throws: ``DirectoryError`` with `itemChanged`, `itemNotFound`, `invalidID` and the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    public func save(overwriting: Bool = false) async throws {
        guard let saved = beginSaving() else { return }
        let line = try await directory.write { try self.apply(saved.draft, overwriting, to: &$0) }
        endSaving(saved, as: line)
    }

    /// Forgets the draft, so that ``item`` is the newest state again.
    public func discard() { change { $0.draft = nil } }
}

extension Directory.ItemDraft {
    /// The unsaved value, observed; nil if nothing was changed.
    private var draft: Item? {
        registrar.access(self, keyPath: \.item)
        return state.withLock { $0.draft }
    }

    /// The item without the draft, observed.
    private var newest: (item: Item, base: PendingEdits.Base)? {
        directory.newest(id, withEdits: sharesEdits)
    }

    /// The draft and how often it was set; discards an unchanged draft, and returns nil.
    private func beginSaving() -> (draft: Item, changes: Int)? {
        guard isChanged else {
            discard()
            return nil
        }
        return state.withLock { state in state.draft.map { ($0, state.changes) } }
    }

    private func apply(
        _ item: Item, _ overwriting: Bool, to draft: inout Directory.Draft
    ) throws -> ArraySlice<UInt8>? {
        guard item.id == id else {
            throw DirectoryError(
                .invalidID, "save an edit of an item of", directory.url,
                "the id was changed from \(id) to \(item.id)",
                remedy: "Change other properties only.", people: .changedID)
        }
        let base = state.withLock { $0.seen.base.line }
        return try draft.save(item, editedFrom: overwriting ? nil : base)
    }

    /// Forgets the draft that was saved.
    ///
    /// If it was set again during the save, it stays, and begins from the saved value.
    private func endSaving(_ saved: (draft: Item, changes: Int), as line: ArraySlice<UInt8>?) {
        change { state in
            if let line { state.seen = (saved.draft, .init(line)) }
            if state.changes == saved.changes { state.draft = nil }
        }
    }

    /// Shows `newValue` to all bindings of the item at once, and commits it soon.
    func saveSoon(_ newValue: Item, onError: @escaping @Sendable (any Error) -> Void) {
        let base = directory.core.add(
            PendingEdits.Edit(
                element: ItemElement(item: newValue, line: []),
                base: state.withLock { $0.seen.base }, durability: directory.durability,
                save: { draft, line in
                    try Directory.Draft.with(&draft) { try $0.save(newValue, editedFrom: line) }
                }, onError: onError))
        // Edits of one item share their base. Observers were told already.
        state.withLock { $0 = State(seen: (newValue, base)) }
    }

    private func change(_ body: (inout State) -> Void) {
        registrar.withMutation(of: self, keyPath: \.item) { state.withLock { body(&$0) } }
    }
}

extension Directory {
    /// The item with `id`, observed on its own, and the line that an edit of it begins from; nil if there is no such
    /// item.
    ///
    /// If `withEdits`, it has the pending edits, as bindings show it.
    fileprivate func newest(_ id: Item.ID, withEdits: Bool) -> (
        item: Item, base: PendingEdits.Base
    )? {
        core.newest(IDElement<Item>(id).id, withEdits: withEdits)
            .map { (ItemElement<Item>.of($0).item, $1) }
    }
}
