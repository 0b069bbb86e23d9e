extension Directory.Draft {
    /// Adds the items of `copy` to this draft, of the collection in `index`, with their folders and files.
    ///
    /// `change` is called with each new item, and `decide` with each pair of different items with the same id.
    ///
    /// - Returns: The ids of the items that were added, replaced and kept, and the files that were not used.
    /// - Throws: ``Busy``; ``DirectoryError``, such as `duplicateID`; the errors of the closures.
    mutating func merge(
        _ copy: StagedCopy, in index: IndexFolder, _ change: ((inout Item) throws -> Void)?,
        _ decide: (_ mine: Item, _ theirs: Item) throws -> Directory.MergeChoice
    ) throws -> Directory.MergeReport {
        var report = Directory.MergeReport()
        report.unused = copy.unused
        let names = OwnedNames(of: base.elements)
        for element in copy.snapshot.elements {
            let theirs = ItemElement<Item>.of(element)
            let id = theirs.item.id
            guard let position = items.index(of: id) else {
                let new = try coding.changing("merge", change)(theirs)
                try copy.add(new, from: theirs, to: &base, of: index)
                report.added.append(id)
                continue
            }
            let mine = items.element(at: position)
            if try coding.areSame(mine.line, theirs.line) && copy.areSame(mine, names, in: index) {
                continue
            }
            switch try decide(mine.item, theirs.item) {
            case .keepMine: report.kept.append(id)
            case .takeTheirs:
                try copy.replace(at: position, of: &base, by: theirs, names, in: index)
                report.replaced.append(id)
            case .keepBoth(let other):
                let new = try coding.element(of: other, replacing: theirs)
                try copy.add(new, from: theirs, to: &base, of: index)
                report.kept.append(id)
                report.added.append(new.item.id)
            }
        }
        return report
    }
}
