/// An item and its line.
final class ItemElement<Item: Codable & Identifiable & Sendable>: IndexElement
where Item.ID: Sendable {
    let item: Item
    let line: ArraySlice<UInt8>
    let idHash: Int

    init(item: Item, line: ArraySlice<UInt8>) {
        self.item = item
        self.line = line
        idHash = item.id.hashValue
    }

    /// `element` with its type; each element of a collection with such items has it.
    @inline(__always)
    static func of(_ element: any IndexElement) -> ItemElement {
        unsafeDowncast(element, to: ItemElement.self)
    }

    var idValue: any Sendable { item.id }
    var idAlone: any IndexElement { IDElement<Item>(item.id) }
    var folder: OwnedName? { Ownership<Item>.folder(of: item) }
    var file: OwnedName? { Ownership<Item>.file(of: item) }

    func hasID(of other: any IndexElement) -> Bool {
        if type(of: other) == Self.self { return Self.of(other).item.id == item.id }
        // A comparison of optionals would look up their type each time.
        guard let other = other as? IDElement<Item> else { return false }
        return other.itemID == item.id
    }
}

/// The id of an item that is not known otherwise, such as that of a damaged line.
final class IDElement<Item: Codable & Identifiable & Sendable>: IndexElement
where Item.ID: Sendable {
    let itemID: Item.ID

    init(_ itemID: Item.ID) { self.itemID = itemID }

    var line: ArraySlice<UInt8> { [] }
    var idHash: Int { itemID.hashValue }
    var idValue: any Sendable { itemID }
    var idAlone: any IndexElement { self }
    var folder: OwnedName? { nil }
    var file: OwnedName? { nil }

    func hasID(of other: any IndexElement) -> Bool {
        if let other = other as? ItemElement<Item> { return other.item.id == itemID }
        guard let other = other as? IDElement<Item> else { return false }
        return other.itemID == itemID
    }
}

extension ElementID {
    /// The id of the item.
    func itemID<Item>(of _: Item.Type) -> Item.ID
    where Item: Codable & Identifiable & Sendable, Item.ID: Sendable {
        (element as? IDElement<Item>)?.itemID ?? ItemElement<Item>.of(element).item.id
    }
}
