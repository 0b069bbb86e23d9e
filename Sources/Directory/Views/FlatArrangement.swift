/// Elements that meet a condition, in one list.
struct FlatArrangement: Arrangement {
    private let isIncluded: @Sendable (any IndexElement) -> Bool
    let order: ViewOrder
    private(set) var value = Elements()

    init(_ isIncluded: @escaping @Sendable (any IndexElement) -> Bool, _ order: ViewOrder) {
        self.isIncluded = isIncluded
        self.order = order
    }

    func isSame(as other: Elements) -> Bool { value.isIdentical(to: other) }

    func position(of id: ElementID) -> ViewPosition? {
        value.position(of: id).map { ViewPosition(position: $0) }
    }

    mutating func rebuild(from elements: Elements) {
        value = Elements.build(order.sorted(elements.filter(isIncluded))).elements
    }

    mutating func remove(_ id: ElementID) -> Bool {
        guard let position = value.position(of: id) else { return false }
        value.remove(at: position)
        return true
    }

    mutating func insert(_ element: any IndexElement, of all: Elements) -> Bool {
        guard isIncluded(element) else { return false }
        order.insert(element, into: &value, of: all)
        return true
    }

    mutating func replace(_ old: any IndexElement, by element: any IndexElement) -> Bool {
        guard let position = value.position(of: element.id), isIncluded(element),
            order.isSame(old, element)
        else { return false }
        value.replace(at: position, with: element)
        return true
    }
}
