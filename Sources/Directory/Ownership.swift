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
    static func check(_ text: String, in folder: URL) throws -> FileName {
        guard let name = visible(text) else {
            throw DirectoryError(.invalidName, "use", folder, "\"\(text)\" is no visible name")
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
/// volume that ignores case or normalisation.
struct NameTable<ID: Hashable & Sendable>: Sendable {
    private var owners: [String: (name: FileName, id: ID)] = [:]

    /// Whether an item owns exactly `name`.
    func owns(_ name: FileName) -> Bool { owners[name.folded]?.name == name }

    /// The item that owns `name`, or a name that some volume takes for the same.
    func owner(of name: FileName) -> ID? { owners[name.folded]?.id }

    /// Gives `name` to `id`, or returns false where another item has it.
    mutating func give(_ name: FileName, to id: ID) -> Bool {
        if let owner = owner(of: name), owner != id { return false }
        owners[name.folded] = (name, id)
        return true
    }

    mutating func free(_ name: FileName) {
        owners[name.folded] = nil
    }
}

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
