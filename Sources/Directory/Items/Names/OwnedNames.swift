import FileSystem
import Synchronization

/// The names of the folders and of the files that the items of an index own.
struct OwnedNames<ID: Hashable & Sendable>: Sendable {
    var folders = NameTable<ID>()
    var files = NameTable<ID>()
}

extension OwnedNames {
    /// The names that `items` own.
    ///
    /// Invalid names, and the later one of two names that collide, are left out: their items can be
    /// read and changed, but own nothing.
    init<Item>(of items: Directory<Item>.Items) where ID == Item.ID {
        guard Ownership<Item>.ownsFolders || Ownership<Item>.ownsFiles else { return }
        for item in items { give(namesOf: item) }
    }

    /// Whether an item ever did not get a name because another item had it.
    var hadCollisions: Bool { folders.hadCollisions || files.hadCollisions }

    /// Gives `item` the names that it gives its folder and its file.
    fileprivate mutating func give<Item: Codable & Identifiable & Sendable>(namesOf item: Item)
    where ID == Item.ID {
        if let name = Ownership<Item>.folder(of: item)?.name {
            _ = folders.give(name, to: item.id)
        }
        if let name = Ownership<Item>.file(of: item)?.name {
            _ = files.give(name, to: item.id)
        }
    }

    /// Takes the names of its folder and its file from `item`.
    fileprivate mutating func free<Item: Codable & Identifiable & Sendable>(namesOf item: Item)
    where ID == Item.ID {
        if let name = Ownership<Item>.folder(of: item)?.name {
            folders.free(name)
        }
        if let name = Ownership<Item>.file(of: item)?.name {
            files.free(name)
        }
    }
}

/// The names that the items of one snapshot own; computed at the first use, because reading items
/// does not need them.
final class LazyNames<Item: Codable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    private enum State: Sendable {
        case items(Directory<Item>.Items)
        case names(OwnedNames<Item.ID>)
    }

    private let state: Mutex<State>

    init(of items: Directory<Item>.Items) {
        state = Mutex(.items(items))
    }

    init(_ names: OwnedNames<Item.ID> = .init()) {
        state = Mutex(.names(names))
    }

    /// The names after the items with `ids` have changed from `old`, whose names these are, to `new`.
    ///
    /// If these names are known, and no two items have ever had the same name, only those items are asked for theirs.
    func changed(
        from old: Directory<Item>.Items, to new: Directory<Item>.Items, _ ids: Set<Item.ID>
    )
        -> LazyNames
    {
        guard case .names(var names) = state.withLock({ $0 }), !names.hadCollisions else {
            return LazyNames(of: new)
        }
        if Ownership<Item>.ownsFolders || Ownership<Item>.ownsFiles {
            for id in ids { if let item = old[id: id] { names.free(namesOf: item) } }
            for id in ids { if let item = new[id: id] { names.give(namesOf: item) } }
        }
        return names.hadCollisions ? LazyNames(of: new) : LazyNames(names)
    }

    var value: OwnedNames<Item.ID> {
        switch state.withLock({ $0 }) {
        case .names(let names): return names
        case .items(let items):
            // Not under the lock, because it calls code of the item's type.
            let names = OwnedNames(of: items)
            state.withLock { $0 = .names(names) }
            return names
        }
    }
}
