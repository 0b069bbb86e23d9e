/// The names that items of one type give their folders and files.
enum Ownership<Item: Codable & Identifiable & Sendable> where Item.ID: Sendable {
    /// Whether items own folders.
    static var ownsFolders: Bool { Item.self is any Container.Type }
    /// Whether items own files in the assets folder.
    static var ownsFiles: Bool { Item.self is any Asset.Type }

    /// The name that `item` gives its folder; nil if items of its type own none.
    static func folder(of item: Item) -> OwnedName? {
        (item as? any Container).map { OwnedName(text: $0.folderName, isFolder: true) }
    }

    /// The name that `item` gives its file; nil if items of its type own none.
    static func file(of item: Item) -> OwnedName? {
        (item as? any Asset).map { OwnedName(text: $0.fileName, isFolder: false) }
    }
}
