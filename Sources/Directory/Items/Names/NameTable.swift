import FileSystem

/// The names in a folder that the items of an index own, each with the id of its item.
///
/// Names are compared folded: without case and Unicode normalisation. So two items can never share
/// a folder or a file, also on a volume that ignores case or normalisation. Copies share their
/// common nodes.
struct NameTable<ID: Hashable & Sendable>: Sendable {
    private final class Owner: Sendable {
        let name: FileName
        let folded: String
        let id: ID

        init(name: FileName, folded: String, id: ID) {
            self.name = name
            self.folded = folded
            self.id = id
        }
    }

    /// Each value is an `Owner`; ``SlotTree/Slot`` says why it has no such type.
    private var owners = HashTrie<any SlotTree.Slot>()
    /// Whether an item ever did not get its name because another item had it.
    private(set) var hadCollisions = false

    /// Whether an item owns exactly `name`.
    func owns(_ name: FileName) -> Bool { find(name.folded)?.name == name }

    /// The id of the item that owns `name`, or a name that some volumes treat as the same.
    func owner(of name: FileName) -> ID? { find(name.folded)?.id }

    /// The name that an item owns and that is `name`, or that some volumes treat as the same.
    func name(equalTo name: FileName) -> FileName? { find(name.folded)?.name }

    /// Gives `name` to `id`; returns false if another item has it.
    mutating func give(_ name: FileName, to id: ID) -> Bool {
        let folded = name.folded
        let previous = find(folded)
        if let previous, previous.id != id {
            hadCollisions = true
            return false
        }
        let owner = Owner(name: name, folded: folded, id: id)
        if let previous {
            owners.replace(folded.hashValue, with: owner) { $0 === previous }
        } else {
            owners.insert(owner, folded.hashValue)
        }
        return true
    }

    mutating func free(_ name: FileName) {
        guard let owner = find(name.folded) else { return }
        owners.replace(owner.folded.hashValue, with: nil) { $0 === owner }
    }

    private func find(_ folded: String) -> Owner? {
        var found: Owner?
        owners.forEach(folded.hashValue) { owner in
            let owner = unsafeDowncast(owner, to: Owner.self)
            if owner.folded == folded { found = owner }
            return found == nil
        }
        return found
    }
}
