import FileSystem
import Synchronization

/// The names of the folders and of the files that the items of an index own.
struct OwnedNames<ID: Hashable & Sendable>: Sendable {
    var folders = NameTable<ID>()
    var files = NameTable<ID>()
}

extension OwnedNames {
    /// The names that `items` own; those that no item may have are left out, and so are later
    /// ones of two that collide: such items can be read and changed, but own nothing.
    init<Item>(of items: Directory<Item>.Items) where ID == Item.ID {
        let ownership = Ownership<Item>()
        guard ownership.ownsFolders || ownership.ownsFiles else { return }
        for item in items {
            if let name = ownership.folderName(of: item).flatMap(NameRules.visible) {
                _ = folders.give(name, to: item.id)
            }
            if let name = ownership.fileName(of: item).flatMap(NameRules.visible) {
                _ = files.give(name, to: item.id)
            }
        }
    }
}

/// What the items of one state own, worked out when it is asked for: who only reads items never
/// does.
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
            // Not under the lock, because it calls what items define.
            let names = OwnedNames(of: items)
            state.withLock { $0 = .names(names) }
            return names
        }
    }
}
