import Synchronization

extension Core {
    /// Shows `edit` to all bindings of its item at once, and commits it soon.
    ///
    /// - Returns: The line that the edit begins from.
    func add(_ edit: PendingEdits<Item>.Edit) -> PendingEdits<Item>.Base {
        let (base, isFirst) = edits.add(edit)
        broadcaster.notifyObservers(ofEditOf: edit.item.id.hashValue)
        if isFirst {
            // The release of the last `Directory` value commits the pending edits.
            edits.schedule(after: store.options.editPause) { [weak self] in self?.commitEdits() }
        }
        return base
    }

    /// Commits all pending edits, together if that is possible; their errors are given to
    /// `onError`.
    func commitEdits() {
        edits.flush { [self] edits in
            let written = Mutex<[Item.ID: ArraySlice<UInt8>]>([:])
            let failures = Mutex<[(edit: PendingEdits<Item>.Edit, error: any Error)]>([])
            let events = Mutex<[Broadcaster.Event]>([])
            let changes = edits.map { edit in
                PendingChange<Item>(
                    durability: edit.durability,
                    apply: { draft in
                        let line = try draft.save(edit.item, editedFrom: edit.base.line)
                        written.withLock { $0[edit.item.id] = line }
                    },
                    finish: { result in
                        switch result {
                        case .success:
                            let line = written.withLock { $0[edit.item.id] }
                            if let line { edit.base.line = line }
                        case .failure(let error):
                            failures.withLock { $0.append((edit, error)) }
                        }
                    })
            }
            commits.commitAll(changes) { request, body in
                var new: [Broadcaster.Event] = []
                defer { events.withLock { $0 += new } }
                try self.change(request, &new, body)
            }
            return {
                self.broadcaster.notifyObservers(of: events.withLock { $0 })
                for failure in failures.withLock({ $0 }) {
                    // Bindings show the value on disk again.
                    self.broadcaster.notifyObservers(ofEditOf: failure.edit.item.id.hashValue)
                    MainThread.run { failure.edit.onError(failure.error) }
                }
            }
        }
    }
}

extension Core {
    /// The item with `id`, observed on its own; nil if there is no such item.
    ///
    /// If `withEdits`, it has the pending edits, as bindings show it.
    func newest(_ id: Item.ID, withEdits: Bool) -> (item: Item, base: PendingEdits<Item>.Base)? {
        if withEdits {
            broadcaster.observers.edited.access(id.hashValue)
            if let edit = edits.edit(of: id) { return (edit.item, edit.base) }
        } else {
            broadcaster.observers.single.access(id.hashValue)
        }
        return currentItems.element(of: id).map { ($0.item, .init($0.line)) }
    }
}
