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

    func isSame(as other: Items) -> Bool { value.elements.isIdentical(to: other.elements) }

    func position(of id: ElementID) -> ViewPosition? {
        value.elements.position(of: id).map { ViewPosition(position: $0) }
    }

    mutating func rebuild(from elements: Elements) {
        let included = elements.filter { isIncluded(ItemElement<Item>.of($0).item) }
        value.elements = Elements.build(order.sorted(included)).elements
    }

    mutating func remove(_ id: ElementID) -> Bool {
        guard let position = value.elements.position(of: id) else { return false }
        value.elements.remove(at: position)
        return true
    }

    mutating func insert(_ element: ItemElement<Item>, of all: Elements) -> Bool {
        guard isIncluded(element.item) else { return false }
        order.insert(element, into: &value.elements, of: all)
        return true
    }

    mutating func replace(_ old: Item, by element: ItemElement<Item>) -> Bool {
        guard let position = value.elements.position(of: element.id), isIncluded(element.item),
            order.isSame(old, element.item)
        else { return false }
        value.elements.replace(at: position, with: element)
        return true
    }
}
