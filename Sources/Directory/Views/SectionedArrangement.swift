import Foundation

/// Items that meet a condition, in sections by a key.
struct SectionedArrangement<
    Item: Codable & Identifiable & Sendable, Key: Hashable & Comparable & Sendable
>: Arrangement where Item.ID: Sendable {
    typealias Items = Directory<Item>.Items
    typealias Sections = SectionedResults<Item, Key>.Sections

    private let isIncluded: @Sendable (Item) -> Bool
    let order: ViewOrder
    private let key: @Sendable (Item) -> Key
    private let keyOrder: SortOrder
    private(set) var value = Sections()
    /// The section of each item.
    private var keys: [Item.ID: Key] = [:]

    init(
        _ isIncluded: @escaping @Sendable (Item) -> Bool, _ order: ViewOrder,
        _ key: @escaping @Sendable (Item) -> Key, _ keyOrder: SortOrder
    ) {
        self.isIncluded = isIncluded
        self.order = order
        self.key = key
        self.keyOrder = keyOrder
    }

    func isSame(as other: Sections) -> Bool {
        value.elementsEqual(other) {
            $0.key == $1.key && $0.items.elements.isIdentical(to: $1.items.elements)
        }
    }

    func position(of id: ElementID) -> ViewPosition? {
        guard let key = keys[id.itemID(of: Item.self)], let section = find(key).section,
            let position = value[section].items.elements.position(of: id)
        else { return nil }
        return ViewPosition(section: section, position: position)
    }

    mutating func rebuild(from elements: Elements) {
        value = Sections()
        keys = [:]
        var parts: [Key: [any IndexElement]] = [:]
        for element in elements {
            let item = ItemElement<Item>.of(element).item
            guard let key = includedKey(item) else { continue }
            keys[item.id] = key
            parts[key, default: []].append(element)
        }
        for key in parts.keys.sorted(by: precedes) {
            let part = Elements.build(order.sorted(parts[key] ?? [])).elements
            value.insert(.init(key: key, items: Items(part)), at: value.count)
        }
    }

    mutating func remove(_ id: ElementID) -> Bool {
        guard let place = position(of: id) else { return false }
        keys[id.itemID(of: Item.self)] = nil
        let key = value[place.section].key
        var items = value[place.section].items
        items.elements.remove(at: place.position)
        if items.isEmpty {
            value.remove(at: place.section)
        } else {
            value.replace(at: place.section, with: .init(key: key, items: items))
        }
        return true
    }

    mutating func insert(_ element: any IndexElement, of all: Elements) -> Bool {
        let item = ItemElement<Item>.of(element).item
        guard let key = includedKey(item) else { return false }
        keys[item.id] = key
        let (section, end) = find(key)
        var part = section.map { value[$0].items } ?? Items()
        order.insert(element, into: &part.elements, of: all)
        if let section {
            value.replace(at: section, with: .init(key: key, items: part))
        } else {
            value.insert(.init(key: key, items: part), at: end)
        }
        return true
    }

    mutating func replace(_ old: any IndexElement, by element: any IndexElement) -> Bool {
        guard let place = position(of: element.id), order.isSame(old, element),
            includedKey(ItemElement<Item>.of(element).item) == value[place.section].key
        else { return false }
        let key = value[place.section].key
        var items = value[place.section].items
        items.elements.replace(at: place.position, with: element)
        value.replace(at: place.section, with: .init(key: key, items: items))
        return true
    }

    /// The key of an item; nil if the item is in no section, for example because its key does not
    /// equal itself (NaN): such a section could not be found again.
    private func includedKey(_ item: Item) -> Key? {
        guard isIncluded(item) else { return nil }
        let key = key(item)
        return key == key ? key : nil
    }

    private func precedes(_ left: Key, _ right: Key) -> Bool {
        keyOrder == .forward ? left < right : right < left
    }

    /// The position of the section with `key`, or nil, and the position where it would be inserted.
    private func find(_ key: Key) -> (section: Int?, end: Int) {
        var (low, high) = (0, value.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(value[middle].key, key) { low = middle + 1 } else { high = middle }
        }
        return (low < value.count && value[low].key == key ? low : nil, low)
    }
}
