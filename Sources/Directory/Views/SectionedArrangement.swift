import Foundation

/// Items that meet a condition, in sections by a key.
struct SectionedArrangement<
    Item: Codable & Identifiable & Sendable, Key: Hashable & Comparable & Sendable
>: Arrangement where Item.ID: Sendable {
    typealias Items = Directory<Item>.Items
    typealias Sections = SectionedResults<Item, Key>.Sections

    private let isIncluded: @Sendable (Item) -> Bool
    let order: ViewOrder<Item>
    private let key: @Sendable (Item) -> Key
    private let keyOrder: SortOrder
    private(set) var value = Sections()
    /// The section of each item.
    private var keys: [Item.ID: Key] = [:]

    init(
        _ isIncluded: @escaping @Sendable (Item) -> Bool, _ order: ViewOrder<Item>,
        _ key: @escaping @Sendable (Item) -> Key, _ keyOrder: SortOrder
    ) {
        self.isIncluded = isIncluded
        self.order = order
        self.key = key
        self.keyOrder = keyOrder
    }

    func isSame(as other: Sections) -> Bool {
        value.elementsEqual(other) { $0.key == $1.key && $0.items.hasSameSlots(as: $1.items) }
    }

    func position(of id: Item.ID) -> ViewPosition? {
        guard let key = keys[id], let section = find(key).section,
            let position = value[section].items.index(of: id)
        else { return nil }
        return ViewPosition(section: section, position: position)
    }

    mutating func rebuild(from items: Items) {
        value = Sections()
        keys = [:]
        var parts: [Key: [Items.Slot]] = [:]
        for slot in items.slots {
            guard let key = includedKey(slot.item) else { continue }
            keys[slot.item.id] = key
            parts[key, default: []].append(slot)
        }
        for key in parts.keys.sorted(by: precedes) {
            let items = Items.build(order.sorted(parts[key] ?? [])).items
            value.insert(.init(key: key, items: items), at: value.count)
        }
    }

    mutating func remove(_ id: Item.ID) -> Bool {
        guard let place = position(of: id) else { return false }
        keys[id] = nil
        let key = value[place.section].key
        var items = value[place.section].items
        items.remove(at: place.position)
        if items.isEmpty {
            value.remove(at: place.section)
        } else {
            value.replace(at: place.section, with: .init(key: key, items: items))
        }
        return true
    }

    mutating func insert(_ slot: Items.Slot, of items: Items) -> Bool {
        guard let key = includedKey(slot.item) else { return false }
        keys[slot.item.id] = key
        let (section, end) = find(key)
        var part = section.map { value[$0].items } ?? Items()
        order.insert(slot, into: &part, of: items)
        if let section {
            value.replace(at: section, with: .init(key: key, items: part))
        } else {
            value.insert(.init(key: key, items: part), at: end)
        }
        return true
    }

    mutating func replace(_ old: Item, by slot: Items.Slot) -> Bool {
        guard let place = position(of: slot.item.id), order.isSame(old, slot.item),
            includedKey(slot.item) == value[place.section].key
        else { return false }
        let key = value[place.section].key
        var items = value[place.section].items
        items.replace(at: place.position, with: slot)
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
