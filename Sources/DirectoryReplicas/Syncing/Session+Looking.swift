import Directory
import FileSystem

/// The differences between all collections and the base.
struct Looks: Sendable {
    var looks: [CollectionLook] = []
    var rootLines: RootLines?
    var marks: [CollectionReference: CollectionMark] = [:]
    /// The collections that cannot be read now, and why.
    var unreadable: [CollectionReference: DirectoryError] = [:]
    /// The items whose files are missing.
    var withoutFile: Set<ItemReference> = []
}

extension Looks {
    /// Adds a look, unless it is as the base.
    fileprivate mutating func add(_ look: CollectionLook, _ base: Base) {
        if !look.isSame(as: base) { looks.append(look) }
        withoutFile.formUnion(
            look.withoutFile.map { ItemReference(look.collection.kind, $0) })
    }
}

extension Session {
    /// Compares the collections with the base; those that were not committed to since are not read.
    func look() throws -> Looks {
        var found = Looks()
        let base = known.base
        let (look, lines) = try root.look(since: rootLines, base)
        found.rootLines = lines
        found.add(look, base)
        let collection = CollectionReference(root.binding.kind, in: nil)
        try lookInside(collection, look, CollectionPath(to: root), [], root.binding, &found)
        return found
    }

    /// Looks at the collections in the containers of a collection, which is as in the base if there is no look at it.
    private func lookInside(
        _ collection: CollectionReference, _ look: CollectionLook?,
        _ path: CollectionPath, _ folders: [String], _ binding: Binding, _ found: inout Looks
    ) throws {
        if binding.children.isEmpty { return }
        let base = known.base
        var keys = base.orders[collection] ?? []
        if let look { keys.replaceSubrange(look.range, with: look.items.map(\.key)) }
        var names: [ItemKey: String] = [:]
        for item in look?.items ?? [] { names[item.key] = item.changed?.folderName }
        for key in keys {
            guard
                let name = names[key]
                    ?? base[ItemReference(collection.kind, key)]?.folderName
            else { continue }
            for child in binding.children {
                try lookAt(child, in: key, path, folders + [name], &found)
            }
        }
    }

    private func lookAt(
        _ child: Binding, in key: ItemKey, _ path: CollectionPath, _ folders: [String],
        _ found: inout Looks
    ) throws {
        try cancellation.check()
        let base = known.base
        let reference = CollectionReference(child.kind, in: key)
        let inner = path.child(child, in: key)
        if let mark = marks[reference],
            root.collection.isUnchanged(child.name, at: folders, since: mark)
        {
            found.marks[reference] = mark
            return try lookInside(reference, nil, inner, folders, child, &found)
        }
        do {
            guard let (look, mark) = try child.look(along: inner, reference, base) else { return }
            // An item whose damaged line has left may come to another collection later, and a file may arrive: each sync
            // looks for them.
            if look.leftLines(base).isEmpty, look.withoutFile.isEmpty {
                found.marks[reference] = mark
            }
            found.add(look, base)
            try lookInside(reference, look, inner, folders, child, &found)
        } catch let error as DirectoryError where error.isAboutOneCollection {
            found.unreadable[reference] = error
        }
    }
}

extension DirectoryError {
    /// Whether one collection cannot be read, which says nothing about others.
    var isAboutOneCollection: Bool {
        let codes: [Code] = [
            .damagedIndex, .undecodable, .indexConflict, .journalDamaged, .journalMissing,
            .accessDenied, .ioFailure,
        ]
        return codes.contains(code) && !isLackOfOpenFiles
    }
}

extension CollectionLook {
    /// The items whose lines were damaged, and are not in the collection any longer; each can be a damaged line without
    /// an id, if there is one.
    func leftLines(_ base: Base) -> Set<ItemKey> {
        guard let old = base.damaged[collection] else { return [] }
        return old.subtracting(damaged.compactMap(\.self)).subtracting(items.map(\.key))
    }

    /// Whether nothing differs from the base.
    func isSame(as base: Base) -> Bool {
        guard items.allSatisfy({ $0.changed == nil }), leftLines(base).isEmpty, repairs.isEmpty
        else { return false }
        let old = base.orders[collection]?[range] ?? []
        return old.elementsEqual(items.lazy.map(\.key))
    }
}
