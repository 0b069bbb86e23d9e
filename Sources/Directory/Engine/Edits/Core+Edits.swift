import Synchronization

extension Core {
    /// Shows `edit` to all bindings of its item at once, and commits it soon.
    ///
    /// - Returns: The line that the edit begins from.
    func add(_ edit: PendingEdits.Edit) -> PendingEdits.Base {
        let (base, isFirst) = edits.add(edit)
        broadcaster.notifyObservers(ofEditOf: edit.id.hash)
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
            let written = Mutex<[ElementID: ArraySlice<UInt8>]>([:])
            let failures = Mutex<[(edit: PendingEdits.Edit, error: any Error)]>([])
            let call = Call()
            let changes = edits.map { edit in
                PendingChange(
                    durability: edit.durability,
                    apply: { draft in
                        let line = try edit.save(&draft, edit.base.line)
                        written.withLock { $0[edit.id] = line }
                    },
                    finish: { result in
                        switch result {
                        case .success:
                            let line = written.withLock { $0[edit.id] }
                            if let line { edit.base.line = line }
                        case .failure(let error):
                            failures.withLock { $0.append((edit, error)) }
                        }
                    })
            }
            commitInGroups(changes, asOneStep: true, in: call)
            return {
                call.end()
                for failure in failures.withLock({ $0 }) {
                    // Bindings show the value on disk again.
                    self.broadcaster.notifyObservers(ofEditOf: failure.edit.id.hash)
                    MainThread.run { failure.edit.onError(failure.error) }
                }
            }
        }
    }
}

extension Core {
    /// The element with `id`, observed on its own; nil if there is no such element.
    ///
    /// If `withEdits`, it has the pending edits, as bindings show it.
    func newest(_ id: ElementID, withEdits: Bool) -> (
        element: any IndexElement, base: PendingEdits.Base
    )? {
        if withEdits {
            broadcaster.observers.edited.access(id.hash)
            if let edit = edits.edit(of: id) { return (edit.element, edit.base) }
        } else {
            broadcaster.observers.single.access(id.hash)
        }
        return snapshot.elements[id].map { ($0, .init($0.line)) }
    }
}
