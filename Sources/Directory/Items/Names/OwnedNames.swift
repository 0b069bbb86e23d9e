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
        typealias Owner = Ownership<Item>
        guard Owner.ownsFolders || Owner.ownsFiles else { return }
        for item in items {
            if let name = Owner.folderName(of: item).flatMap(NameRules.folder) {
                _ = folders.give(name, to: item.id)
            }
            if let name = Owner.fileName(of: item).flatMap(NameRules.visible) {
                _ = files.give(name, to: item.id)
            }
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
