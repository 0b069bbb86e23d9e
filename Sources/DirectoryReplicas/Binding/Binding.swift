import Directory
import FileSystem
import Foundation

/// How the collections of one kind are read and written, whatever the type of their items is.
struct Binding: Sendable {
    /// The kind of their items.
    let kind: String
    /// The name of the index without its extension.
    let name: String
    let children: [Binding]
    /// How the lines are read.
    let coding: LineCoding

    var ownsFolders: Bool { coding.ownsFolders }
    var ownsFiles: Bool { coding.ownsFiles }

    /// Why ids of the items are not unique everywhere; nil if they are.
    var reasonAgainstIDs: String? {
        if coding.idType == UUID.self || coding.idType == String.self { return nil }
        return
            "the ids of \(coding.itemType) are of the type \(coding.idType), so that two devices can give one id to two "
            + "items; use UUID or String"
    }
}

extension Binding {
    /// The line `bytes`; nil if it cannot be read, or if it has another id than `key`.
    func decode(_ bytes: ArraySlice<UInt8>, as key: ItemKey) -> IndexLine? {
        guard let line = try? coding.decode(bytes), line.id == id(of: key) else { return nil }
        return line
    }

    /// The key of an item with `id` in a container.
    func key(of id: ElementID, in container: ItemKey?) -> ItemKey {
        let value = id.value
        if let id = value as? UUID { return .uuid(id) }
        return ItemKey(id: value as? String ?? "\(value)", in: container)
    }

    /// The id of the item with `key`; nil if no item of this kind can have it.
    func id(of key: ItemKey) -> ElementID? {
        if case .uuid(let uuid) = key, let id = coding.id(uuid) { return id }
        return coding.id(key.id)
    }
}

/// The way from the root to a collection, which may be in a container.
struct CollectionPath: Sendable {
    let root: Root
    /// The collections below the root, each in a container of the one before.
    private(set) var steps: [(binding: Binding, container: ItemKey)] = []

    init(to root: Root) { self.root = root }

    /// The way to the collection of `binding` in a container of this one.
    func child(_ binding: Binding, in container: ItemKey) -> Self {
        var path = self
        path.steps.append((binding, container))
        return path
    }

    /// Opens the collection; nil if a container on the way is not there, or is being removed.
    func open() throws -> LineCollection? {
        var (collection, binding) = (root.collection, root.binding)
        for step in steps {
            guard let id = binding.id(of: step.container),
                let child = try collection.child(step.binding.name, step.binding.coding, of: id)
            else { return nil }
            (collection, binding) = (child, step.binding)
        }
        return collection
    }
}
