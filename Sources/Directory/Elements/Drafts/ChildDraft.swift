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

    /// A draft of the state before the write; nil if the write makes the collection.
    var ofStateBefore: ElementDraft? {
        write?.place.map { ElementDraft($0.index.snapshot, reader) }
    }

    /// The staged files that elements get, in this collection and in the collections inside its elements.
    var usedFiles: [StagedAsset] {
        files.staged.given.map(\.file) + (presentChildren + newChildren).flatMap(\.draft.usedFiles)
    }
}
