/// Items that meet a condition, in one list.
struct FlatArrangement<Item: Codable & Identifiable & Sendable>: Arrangement
where Item.ID: Sendable {
    typealias Items = Directory<Item>.Items

    private let isIncluded: @Sendable (Item) -> Bool
    let order: ViewOrder<Item>
    private(set) var value = Items()

    init(_ isIncluded: @escaping @Sendable (Item) -> Bool, _ order: ViewOrder<Item>) {
        self.isIncluded = isIncluded
        self.order = order
    }

    func isSame(as other: Items) -> Bool { value.hasSameSlots(as: other) }

    func position(of id: Item.ID) -> ViewPosition? {
        value.index(of: id).map { ViewPosition(position: $0) }
    }

    mutating func rebuild(from items: Items) {
        value = Items.build(order.sorted(items.slots.filter { isIncluded($0.item) })).items
    }

    mutating func remove(_ id: Item.ID) -> Bool {
        guard let position = value.index(of: id) else { return false }
        value.remove(at: position)
        return true
    }

    mutating func insert(_ slot: Items.Slot, of items: Items) -> Bool {
        guard isIncluded(slot.item) else { return false }
        order.insert(slot, into: &value, of: items)
        return true
    }

    mutating func replace(_ old: Item, by slot: Items.Slot) -> Bool {
        guard let position = value.index(of: slot.item.id), isIncluded(slot.item),
            order.isSame(old, slot.item)
        else { return false }
        value.replace(at: position, with: slot)
        return true
    }
}
