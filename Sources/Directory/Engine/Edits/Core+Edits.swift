import Synchronization

extension Core {
    /// Shows `edit` to all bindings of its item at once, and commits it soon.
    func add(_ edit: PendingEdits<Item>.Edit) {
        let isFirst = edits.add(edit)
        broadcaster.notifyObservers(ofEditOf: edit.item.id)
        if isFirst {
            // Whoever releases the last `Directory` value commits what waits.
            edits.schedule(after: store.options.editPause) { [weak self] in self?.commitEdits() }
        }
    }

    /// Commits all edits that wait, together if that is possible; their errors go to `onError`.
    func commitEdits() {
        edits.flush { [self] edits in
            let written = Mutex<[Item.ID: ArraySlice<UInt8>]>([:])
            let changes = edits.map { edit in
                PendingChange<Item>(
                    durability: edit.durability,
                    apply: { draft in
                        let line = try edit.apply(to: &draft)
                        written.withLock { $0[edit.item.id] = line }
                    },
                    finish: { result in
                        self.end(edit, result, written.withLock { $0[edit.item.id] })
                    })
            }
            commits.commit(changes) { request, body in
                try self.commit(request, withEdits: false, body)
            }
        }
    }

    private func end(
        _ edit: PendingEdits<Item>.Edit, _ result: Result<Void, any Error>,
        _ line: ArraySlice<UInt8>?
    ) {
        switch result {
        case .success: if let line { edit.base.line = line }
        case .failure(let error):
            edits.drop(edit)
            // Bindings show what is on disk again.
            broadcaster.notifyObservers(ofEditOf: edit.item.id)
            MainThread.run { edit.onError(error) }
        }
    }
}

extension PendingEdits.Edit {
    /// Updates the item in `draft`, and returns its new line.
    ///
    /// - Throws: ``DirectoryError`` with `itemChanged` if the item is not the one that was edited.
    fileprivate func apply(to draft: inout Directory<Item>.Draft) throws -> ArraySlice<UInt8>? {
        if let slot = draft.items.slot(of: item.id), slot.line != base.line {
            throw DirectoryError(
                .itemChanged, "save an edit of an item of", draft.url,
                "another process changed the item with id \(item.id) meanwhile")
        }
        try draft.update(item)
        return draft.items.slot(of: item.id)?.line
    }
}
