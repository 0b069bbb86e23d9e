/// The elements of an index at one moment, in order.
///
/// This value costs nothing to copy. Two values share their common elements, so a change costs about as much among a
/// million elements as among a thousand.
struct Elements: RandomAccessCollection, Sendable {
    var tree = ElementTree()
    /// The labels of the elements, by the hash of their ids.
    var labels = HashTrie<UInt64>()

    init() {}

    var startIndex: Int { 0 }
    var endIndex: Int { tree.count }
    subscript(position: Int) -> any IndexElement { tree[position].element }
}

extension Elements {
    /// The element with `id`, as it is here; nil if there is none.
    subscript(id: ElementID) -> (any IndexElement)? { find(id)?.element }

    func contains(_ id: ElementID) -> Bool { find(id) != nil }

    /// The position of the element with `id`; nil if there is none.
    func position(of id: ElementID) -> Int? {
        position(id.element.idHash) { $0 === id.element || $0.hasID(of: id.element) }
    }

    /// The ids in order.
    var ids: [ElementID] { map(\.id) }

    private func find(_ id: ElementID) -> ElementTree.Entry? {
        find(id.element.idHash) { $0 === id.element || $0.hasID(of: id.element) }
    }

    /// The entry of an element whose id has `hash` and that is wanted; nil if there is none.
    func find(_ hash: Int, where isWanted: (any IndexElement) -> Bool) -> ElementTree.Entry? {
        var found: ElementTree.Entry?
        labels.forEach(hash) { label in
            guard let entry = tree.entry(labelled: label) else { return true }
            if isWanted(entry.element) { found = entry }
            return found == nil
        }
        return found
    }

    /// The position of an element whose id has `hash` and that is wanted; nil if there is none.
    func position(_ hash: Int, where isWanted: (any IndexElement) -> Bool) -> Int? {
        var found: Int?
        labels.forEach(hash) { label in
            guard let place = tree.place(of: label), isWanted(place.entry.element) else {
                return true
            }
            found = place.position
            return false
        }
        return found
    }

    /// Whether `other` has the same elements, the same objects, in the same order.
    func isIdentical(to other: Self) -> Bool {
        tree.isEqual(to: other.tree) { $0.element === $1.element }
    }
}

extension Elements {
    /// Visits the elements from the first to the last.
    struct Iterator: IteratorProtocol {
        fileprivate var entries: ElementTree.Iterator

        mutating func next() -> (any IndexElement)? { entries.next()?.element }
    }

    func makeIterator() -> Iterator { Iterator(entries: tree.makeIterator()) }
}
