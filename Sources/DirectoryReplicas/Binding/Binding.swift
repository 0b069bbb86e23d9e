import Directory
import FileSystem
import Foundation

/// How collections of one kind are read and written, whatever the type of their items is.
protocol AnyBinding: Sendable {
    /// The kind of their items.
    var kind: String { get }
    /// The name of the index without its extension.
    var name: String { get }
    var children: [any AnyBinding] { get }
    var ownsFolders: Bool { get }
    var ownsFiles: Bool { get }
    /// Decodes a line; nil if that fails, or if the line has another id than `key`.
    func decode(_ line: ArraySlice<UInt8>, as key: ItemKey) -> DecodedLine?
    /// Whether two values of the member `name` of `line` are equal, with sets and dictionaries in another order at most.
    func areSame(
        _ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?, of name: String,
        in line: ArraySlice<UInt8>
    ) -> Bool
    /// Why ids of the items are not unique everywhere; nil if they are.
    var reasonAgainstIDs: String? { get }
    /// Reads the collection of this kind that `container` holds; nil if it is not there any longer.
    func look(
        in container: ItemKey, through opener: any CollectionOpener, _ base: Base
    ) throws -> (look: CollectionLook, mark: CollectionMark?)?
    /// An opener of the collections that items of the collection of this kind in `container` hold.
    func opener(in container: ItemKey, through opener: any CollectionOpener)
        -> any CollectionOpener
    /// Opens the file `name` of an item of the collection in `container`.
    func openAsset(
        _ name: String, in container: ItemKey, through opener: any CollectionOpener
    ) throws -> ImportSource?
    /// The names that no container of the collection in `container` can get, beside `names`, which its items have.
    func takenNames(
        beside names: [String], in container: ItemKey, through opener: any CollectionOpener
    ) throws -> Set<String>
    /// The names of all files in the assets folder of the collection in `container`.
    func namesOfAssets(in container: ItemKey, through opener: any CollectionOpener) throws
        -> Set<FileName>
    /// Applies plans to the collection of this kind that the item with `key` of `draft` holds.
    func apply<Parent>(
        _ writer: PlanWriter, in key: ItemKey, of draft: inout Directory<Parent>.Draft
    ) throws
}

/// A line with the names that it gives to the folder and the file of the item.
struct DecodedLine: Sendable {
    var bytes: ArraySlice<UInt8>
    var folderName: String?
    var fileName: String?
    /// A `Directory.Line`.
    var line: any Sendable
}

/// Opens the collections that items of one collection hold.
protocol CollectionOpener: Sendable {
    /// The collection that the item with `key` holds; nil if the item is not there.
    func open<C>(_ child: Child<C>, of key: ItemKey) throws -> Directory<C>?
}

/// Collections of items of one type.
struct Binding<Item: Codable & Identifiable & Sendable>: AnyBinding where Item.ID: Sendable {
    let kind: String
    let name: String
    let children: [any AnyBinding]
    /// How the lines are encoded.
    let options: DirectoryOptions
    /// A place for messages.
    let url: URL

    var ownsFolders: Bool { Directory<Item>.ownsFolders }
    var ownsFiles: Bool { Directory<Item>.ownsFiles }

    var reasonAgainstIDs: String? {
        if Item.ID.self == UUID.self || Item.ID.self == String.self { return nil }
        return
            "the ids of \(Item.self) are of the type \(Item.ID.self), so that two devices can give one id to two "
            + "items; use UUID or String"
    }

    func decode(_ line: ArraySlice<UInt8>, as key: ItemKey) -> DecodedLine? {
        guard let line = try? Directory<Item>.decode(line, options, at: url),
            let id = id(of: key), line.item.id == id
        else { return nil }
        return DecodedLine(
            bytes: line.bytes, folderName: line.folderName, fileName: line.fileName, line: line)
    }

    func areSame(
        _ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?, of name: String,
        in line: ArraySlice<UInt8>
    ) -> Bool {
        Directory<Item>.areSame(left, right, of: name, in: line, options, at: url)
    }

    /// The key of an item with `id` in a container.
    func key(of id: Item.ID, in container: ItemKey?) -> ItemKey {
        if let id = id as? UUID { return .uuid(id) }
        return ItemKey(id: id as? String ?? "\(id)", in: container)
    }

    /// The id of the item with `key`; nil if no item of this type can have it.
    func id(of key: ItemKey) -> Item.ID? {
        if Item.ID.self == UUID.self {
            guard case .uuid(let uuid) = key else { return nil }
            return uuid as? Item.ID
        }
        return key.id as? Item.ID
    }
}

extension Binding {
    func opener(in container: ItemKey, through opener: any CollectionOpener)
        -> any CollectionOpener
    {
        ChildOpener(outer: opener, child: Child<Item>(name), container: container, binding: self)
    }

    func openAsset(
        _ name: String, in container: ItemKey, through opener: any CollectionOpener
    ) throws -> ImportSource? {
        try opener.open(Child<Item>(self.name), of: container)?.openAsset(name)
    }

    func takenNames(
        beside names: [String], in container: ItemKey, through opener: any CollectionOpener
    ) throws -> Set<String> {
        try opener.open(Child<Item>(name), of: container)?.takenNames(beside: names) ?? []
    }

    func namesOfAssets(in container: ItemKey, through opener: any CollectionOpener) throws
        -> Set<FileName>
    {
        try opener.open(Child<Item>(name), of: container)?.namesOfAssets ?? []
    }

    func look(
        in container: ItemKey, through opener: any CollectionOpener, _ base: Base
    ) throws -> (look: CollectionLook, mark: CollectionMark?)? {
        guard let directory = try opener.open(Child<Item>(name), of: container) else { return nil }
        do {
            let (look, _, assets) = try look(
                at: directory, CollectionReference(kind, in: container), base)
            return (look, directory.mark(assets))
        } catch let error as DirectoryError where error.code == .containerRemoved {
            return nil
        }
    }

    func apply<Parent>(
        _ writer: PlanWriter, in key: ItemKey, of draft: inout Directory<Parent>.Draft
    ) throws {
        guard let id = key.id(as: Parent.ID.self) else { return }
        let reference = CollectionReference(kind, in: key)
        try draft.reach(into: Child<Item>(name), of: id) { draft in
            try writer.apply(to: &draft, reference, self)
        }
    }
}

extension ItemKey {
    /// The id that this key has in a type; nil if it has none.
    func id<ID>(as type: ID.Type) -> ID? {
        if case .uuid(let uuid) = self, let id = uuid as? ID { return id }
        return id as? ID
    }
}

/// Opens the collections in items of the root.
struct RootOpener<Item: Codable & Identifiable & Sendable>: CollectionOpener
where Item.ID: Sendable {
    let directory: Directory<Item>

    func open<C>(_ child: Child<C>, of key: ItemKey) throws -> Directory<C>? {
        guard let id = key.id(as: Item.ID.self) else { return nil }
        return try directory.openIfThere(child, of: id)
    }
}

/// Opens the collections in items of a collection that is itself in an item.
struct ChildOpener<Item: Codable & Identifiable & Sendable>: CollectionOpener
where Item.ID: Sendable {
    let outer: any CollectionOpener
    let child: Child<Item>
    let container: ItemKey
    let binding: Binding<Item>

    func open<C>(_ child: Child<C>, of key: ItemKey) throws -> Directory<C>? {
        guard let directory = try outer.open(self.child, of: container),
            let id = key.id(as: Item.ID.self)
        else { return nil }
        return try directory.openIfThere(child, of: id)
    }
}

extension Directory {
    /// The collection that the item with `id` holds; nil if the item is not there, or is being removed.
    fileprivate func openIfThere<C>(_ child: Child<C>, of id: Item.ID) throws -> Directory<C>? {
        do {
            return try open(child, of: id)
        } catch let error as DirectoryError
            where [.itemNotFound, .containerRemoved].contains(error.code)
        {
            return nil
        }
    }
}
