import FileSystem
import Foundation

/// How items of one type name what they own on disk.
struct Ownership<Item: Codable & Identifiable & Sendable>: Sendable where Item.ID: Sendable {
    /// Whether items own folders.
    let ownsFolders = Item.self is any Container.Type
    /// Whether items own files in the assets folder.
    let ownsFiles = Item.self is any Asset.Type

    func folderName(of item: Item) -> String? { (item as? any Container)?.folderName }
    func fileName(of item: Item) -> String? { (item as? any Asset)?.fileName }
}

/// Which names items may own.
enum NameRules {
    /// The file name that `text` is.
    ///
    /// - Throws: ``DirectoryError`` with `invalidName` if it is none, or begins with a dot, which
    ///   is kept for the names of the collections themselves.
    @discardableResult
    static func check(_ text: String, in folder: @autoclosure () -> URL) throws -> FileName {
        guard let name = visible(text) else {
            throw DirectoryError(.invalidName, "use", folder(), "\"\(text)\" is no visible name")
        }
        return name
    }
}

extension NameRules {
    /// The file name that `text` is, nil where it is none or begins with a dot.
    static func visible(_ text: String) -> FileName? {
        FileName(text).flatMap { $0.isHidden ? nil : $0 }
    }
}

/// Which names in a folder belong to the items of an index, and to which.
///
/// Names are looked up folded, so that two items can never meet in one folder or file on a
/// volume that ignores case or normalisation. Copies share what is the same in both.
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

    /// Owners, as values of any class for the reason that ``SlotTree`` gives.
    private var owners = HashTrie<any SlotTree.Slot>()
    /// Whether there ever was an item that did not get its name, because another had it.
    private(set) var hadCollisions = false

    /// Whether an item owns exactly `name`.
    func owns(_ name: FileName) -> Bool { find(name.folded)?.name == name }

    /// The item that owns `name`, or a name that some volume takes for the same.
    func owner(of name: FileName) -> ID? { find(name.folded)?.id }

    /// Gives `name` to `id`, or returns false where another item has it.
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
