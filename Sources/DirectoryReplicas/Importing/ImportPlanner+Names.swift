import Directory
import FileSystem

extension ImportPlanner {
    /// Gives the containers and the files of one kind names that differ from each other in each collection.
    ///
    /// The names follow from the state alone, so every device gives the same ones, unless something else has a name on
    /// the disk of one of them.
    mutating func fitNames(_ kind: String) throws {
        guard let binding = kinds[kind] else { return }
        if binding.ownsFolders {
            for collection in collectionsWithOtherNames(kind) {
                try fitFolders(in: collection, binding)
            }
        }
        if binding.ownsFiles { try fitFiles(kind, binding) }
    }

    private func collectionsWithOtherNames(_ kind: String) -> Set<CollectionReference> {
        var found: Set<CollectionReference> = []
        for (item, verdict) in verdicts where item.kind == kind {
            let old = base[item]
            if let old, gone.contains(item) { found.insert(.init(kind, in: old.container)) }
            guard case .show(let wanted) = verdict else { continue }
            if wanted.isAdded || wanted.folderName != old?.wantedFolderName ?? old?.folderName {
                found.insert(.init(kind, in: wanted.container))
            } else if old?.wantedFolderName != nil || hasNewBirth(item) {
                found.insert(.init(kind, in: wanted.container))
            }
        }
        return found
    }

    /// Whether the item came to its collection again, so that others get the names that they want before it.
    private func hasNewBirth(_ item: ItemReference) -> Bool {
        state[item]?.container(state.rules).map { !shown.covers($0.stamp.dot) } == true
    }

    private mutating func fitFolders(in collection: CollectionReference, _ binding: Binding)
        throws
    {
        var names: [(item: ItemReference, wanted: String, now: String)] = []
        // The names of containers that a later commit removes, moves or renames. With other names, they would look
        // changed if the process died before this import is recorded.
        var leaving: [String] = []
        func add(_ item: ItemReference) {
            if case .show(let wanted) = verdicts[item] {
                guard wanted.container == collection.container, let name = wanted.folderName else {
                    return
                }
                return names.append((item, name, name))
            }
            guard !gone.contains(item), let old = base[item], let name = old.folderName,
                old.container == collection.container
            else { return }
            if later.contains(item) { return leaving.append(name) }
            names.append((item, old.wantedFolderName ?? name, name))
        }
        let order = base.orders[collection] ?? []
        for key in order { add(ItemReference(collection.kind, key)) }
        let known = Set(order)
        for item in verdicts.keys where item.kind == collection.kind && !known.contains(item.key) {
            add(item)
        }
        names.sort { state.birth(of: $0.item) < state.birth(of: $1.item) }
        // A name that cannot be changed stays with the container that has it here.
        let fixed = fixedNames(binding, names.map { ($0.item, $0.wanted) })
        names = names.filter { fixed.contains($0.item) } + names.filter { !fixed.contains($0.item) }
        let foreign =
            avoidsTakenNames && !isMade(collection)
            ? try takenNames(
                collection,
                order.compactMap { base[ItemReference(collection.kind, $0)]?.folderName })
            : []
        var taken = foreign.union(leaving.compactMap { FileName($0)?.folded })
        var given: [ItemReference: String] = [:]
        for (item, wanted, _) in names {
            guard let folded = FileName(wanted)?.folded, taken.insert(folded).inserted else {
                continue
            }
            given[item] = wanted
        }
        for (item, wanted, now) in names {
            let name = given[item] ?? wanted.safeFolderName(beside: taken)
            if given[item] == nil, let folded = FileName(name)?.folded { taken.insert(folded) }
            if name != now { rename(item, from: now, to: name, wanted, binding) }
        }
    }

    /// The containers that stay in their collection, have names that others want too, and cannot get other ones, because
    /// these are their ids.
    private func fixedNames(
        _ binding: Binding, _ names: [(item: ItemReference, wanted: String)]
    ) -> Set<ItemReference> {
        let sharing = Dictionary(grouping: names) { FileName($0.wanted)?.folded ?? "" }
            .values.filter { $0.count > 1 }.joined()
        return Set(
            sharing.filter { item, name in
                if case .show(let wanted) = verdicts[item], wanted.isAdded { return false }
                guard let shown = base[item], let line = binding.decode(shown.line, as: item.key)
                else { return false }
                return shown.folderName == name
                    && binding.renamed(
                        line, of: item.key, from: name, to: "\(name) 2", \.folderName) == nil
            }.map(\.item))
    }

    private mutating func rename(
        _ item: ItemReference, from old: String, to new: String, _ wanted: String,
        _ binding: Binding
    ) {
        var change: Wanted
        if case .show(let known) = verdicts[item] {
            change = known
        } else if let shown = base[item], let position = shown.position,
            let line = binding.decode(shown.line, as: item.key)
        {
            // It is not changed otherwise.
            let place = ItemPlace(
                container: shown.container, position: position, isAdded: false)
            change = Wanted(place, line, folderName: wanted)
            (change.file, change.seen) = (shown.file, shown.seen)
            if case .keep = verdicts[item] { change.seen = shown.seen ?? self.shown }
        } else {
            return
        }
        guard
            let renamed = binding.renamed(
                change.line, of: item.key, from: old, to: new, \.folderName)
        else {
            verdicts[item] = .unreadable
            noteUnreadable(item)
            return
        }
        change.line = renamed
        verdicts[item] = .show(change)
    }

    private mutating func fitFiles(_ kind: String, _ binding: Binding) throws {
        var taken: [CollectionReference: Set<String>] = [:]
        let items = verdicts.keys.filter { $0.kind == kind }.sorted { $0.key < $1.key }
        for item in items {
            guard case .show(var wanted) = verdicts[item], let name = wanted.line.fileName else {
                continue
            }
            let old = base[item]
            let isMissing = withoutFile.contains(item) && old?.file == wanted.file
            if !wanted.needsFile || isMissing && !wanted.isAdded {
                // Its file has, or gets again, the name that it got here.
                guard let known = old?.fileName, known != name else { continue }
                fit(item, &wanted, from: name, to: known, binding)
                continue
            }
            let collection = CollectionReference(kind, in: wanted.container)
            if taken[collection] == nil { taken[collection] = try namesOfFiles(in: collection) }
            var (free, number) = (name, 1)
            while let folded = FileName(free)?.folded,
                taken[collection]?.insert(folded).inserted == false
            {
                number += 1
                free = name.numbered(number)
            }
            if free != name { fit(item, &wanted, from: name, to: free, binding) }
        }
    }

    private mutating func fit(
        _ item: ItemReference, _ wanted: inout Wanted, from old: String, to new: String,
        _ binding: Binding
    ) {
        if let line = binding.renamed(wanted.line, of: item.key, from: old, to: new, \.fileName) {
            wanted.line = line
            verdicts[item] = .show(wanted)
        } else {
            verdicts[item] = base[item] == nil ? .unreadable : .keep(pending: nil)
            noteUnreadable(item)
        }
    }

    private func namesOfFiles(in collection: CollectionReference) throws -> Set<String> {
        if isMade(collection) { return [] }
        // A removed file keeps its name until the commit.
        let own = (base.orders[collection] ?? []).compactMap { key in
            base[ItemReference(collection.kind, key)]?.fileName.flatMap(FileName.init)?.folded
        }
        let others = avoidsTakenNames ? Set(try namesOfAssets(collection).map(\.folded)) : []
        return others.union(own)
    }
}

extension String {
    /// This file name with a number before its extension, and with a shorter beginning if it would be too long.
    fileprivate func numbered(_ number: Int) -> String {
        var stem = fileStem
        let end = "-\(number)\(dropFirst(stem.count))"
        while !stem.isEmpty, stem.utf8.count + end.utf8.count > FileName.maximumLength {
            stem.removeLast()
        }
        return stem + end
    }

    /// Whether an import can give a file this name, because something else has the name `wanted`.
    func isNumbered(insteadOf wanted: String) -> Bool {
        let number = fileStem.split(separator: "-").last.flatMap { Int($0) }
        return number.map { self == wanted.numbered($0) } ?? false
    }

    /// This file name without its extension; one that is very long is a part of the name.
    private var fileStem: Substring {
        guard let dot = lastIndex(of: "."), dot != startIndex, self[dot...].utf8.count <= 64 else {
            return self[...]
        }
        return self[..<dot]
    }
}
