/// The names that items of one type give their folders and files.
enum Ownership<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    /// Whether items own folders.
    static var ownsFolders: Bool { Item.self is any Container.Type }
    /// Whether items own files in the assets folder.
    static var ownsFiles: Bool { Item.self is any Asset.Type }

    /// The name that `item` gives its folder; nil if items of its type own none.
    static func folder(of item: Item) -> OwnedName? {
        (Item.self as? any Container.Type)?.folderName(of: item)
            .map { OwnedName(text: $0, isFolder: true) }
    }

    /// The name that `item` gives its file; nil if items of its type own none.
    static func file(of item: Item) -> OwnedName? {
        (Item.self as? any Asset.Type)?.fileName(of: item)
            .map { OwnedName(text: $0, isFolder: false) }
    }
}

extension Container {
    /// The folder name of `item`, which is of this type; a cast to `any Container` would copy it into a box.
    fileprivate static func folderName(of item: some Any) -> String? { (item as? Self)?.folderName }
}

extension Asset {
    /// The file name of `item`, which is of this type; a cast to `any Asset` would copy it into a box.
    fileprivate static func fileName(of item: some Any) -> String? { (item as? Self)?.fileName }
}
