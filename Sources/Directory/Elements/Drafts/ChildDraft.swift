import FileSystem

/// The draft of a collection inside an element of another draft.
struct ChildDraft {
    /// The id of the element.
    let id: ElementID
    /// The name of the collection.
    let name: String
    var draft: ElementDraft
}

extension ElementDraft {
    /// The drafts of collections whose elements existed before the write and still exist.
    var presentChildren: [ChildDraft] { children.isEmpty ? [] : remaining { $0 } }

    /// The drafts of collections in new elements, if they have elements.
    var newChildren: [ChildDraft] {
        children.isEmpty ? [] : remaining { !$0 }.filter { !$0.draft.elements.isEmpty }
    }

    private func remaining(where isWanted: (_ wasThere: Bool) -> Bool) -> [ChildDraft] {
        let before = write?.place?.index.snapshot.elements
        return children.filter {
            elements.contains($0.id) && isWanted(before?.contains($0.id) == true)
        }
    }

    /// The state in this draft of the collection of `child`, which is from a later state; nil if the write makes it.
    func state(of child: ChildDraft) -> ElementDraft? {
        let known = children.first { $0.id == child.id && $0.name == child.name }?.draft
        return known
            ?? child.draft.write?.place.map { ElementDraft($0.index.snapshot, child.draft.reader) }
    }

    /// Whether the changes before the present one, which made `before`, must be committed first.
    ///
    /// A commit compares the states at both ends. So a removed element would not be kept as an earlier change left it,
    /// and an element that comes again would get the folder and the collections of the removed one.
    func mustFollowCommit(of before: ElementDraft) -> Bool {
        let base = write?.place?.index.snapshot.elements
        for id in step?.touched ?? [] {
            switch (before.elements.contains(id), elements.contains(id)) {
            case (true, false):
                if before.changes.touched.contains(id)
                    || before.children.contains(where: { $0.id == id })
                {
                    return true
                }
            case (false, true): if base?.contains(id) == true { return true }
            default: break
            }
        }
        return presentChildren.contains { child in
            before.state(of: child).map(child.draft.mustFollowCommit) == true
        }
    }

    /// Checks, as the commit of the present change alone would do, that each index that it changes can be opened again.
    ///
    /// - Throws: ``DirectoryError`` with `undecodable`.
    func checkStep() throws {
        if step?.isEmpty == false { try checkThatItCanBeOpened() }
        for child in presentChildren { try child.draft.checkStep() }
    }

    /// The staged files that elements get, in this collection and in the collections inside its elements.
    var usedFiles: [StagedAsset] {
        files.staged.given.map(\.file) + (presentChildren + newChildren).flatMap(\.draft.usedFiles)
    }
}
