extension StagedCopy {
    /// Adds the element of the copy to `draft`, of the collection in `index`, as `new`, with its folder and its file.
    func add(
        _ new: any IndexElement, from element: any IndexElement, to draft: inout ElementDraft,
        of index: IndexFolder
    ) throws {
        try draft.checkThatIsFree(new.id)
        draft.insert(new, at: draft.elements.count)
        try bring(element, as: new, to: &draft, of: index)
    }

    /// Replaces the element at `position` of `draft` by `element`, of the copy, with its folder and its file.
    ///
    /// `names` are those that the elements of `draft` own.
    func replace(
        at position: Int, of draft: inout ElementDraft, by element: any IndexElement,
        _ names: OwnedNames, in index: IndexFolder
    ) throws {
        for entry in try entries(of: draft.elements[position], in: index)
        where names.owner(of: entry) == element.id {
            try draft.files.replace(entry, of: index.names)
        }
        draft.replace(at: position, with: element)
        try bring(element, as: element, to: &draft, of: index)
    }

    /// Plans to move the folder and the file of `element` from the copy, under the names that `new` has for them.
    private func bring(
        _ element: any IndexElement, as new: any IndexElement, to draft: inout ElementDraft,
        of index: IndexFolder
    ) throws {
        for entry in try entries(of: element, in: folder)
        where snapshot.names.value.owner(of: entry) == element.id {
            let owned = entry.assets == nil ? new.folder : new.file
            guard let name = owned?.name else { continue }
            place(entry, as: name, in: &draft.files, of: index)
        }
    }

    /// Whether the copy has the same folder and file for an element with the same line.
    func areSame(_ element: any IndexElement, _ names: OwnedNames, in index: IndexFolder) throws
        -> Bool
    {
        let (here, there) = try (
            entries(of: element, in: index), entries(of: element, in: folder)
        )
        guard here.map(key) == there.map(key) else { return false }
        return try here.allSatisfy { entry in
            try names.owner(of: entry) == element.id && isSame(entry, in: index)
        }
    }
}
