/// Finds, for each element of a changed array, the old element that it comes from.
///
/// Elements that have a member `id` are the same if their ids are equal. Other elements are the same
/// if they are equal, or if they are at the same position of an array in which no element was
/// added, removed or moved. An element whose old element is not certain counts as new.
struct ElementPairs {
    /// The positions of an old element: in the old line, and in the encoding of the old value.
    struct Source {
        let old: Int
        let before: Int
    }

    let old: [JSONValue]
    let before: [JSONValue]
    let new: [JSONValue]
    /// The source of each new element; nil for a new one.
    private(set) var sources: [Source?]

    private let oldIDs: [[UInt8]?]
    private let beforeIDs: [[UInt8]?]
    private let newIDs: [[UInt8]?]

    init(old: JSONValue, before: JSONValue, new: JSONValue) throws {
        (self.old, self.before, self.new) = try (old.elements(), before.elements(), new.elements())
        sources = Array(repeating: nil, count: self.new.count)
        oldIDs = try self.old.map { try $0.id }
        beforeIDs = try self.before.map { try $0.id }
        newIDs = try self.new.map { try $0.id }
        guard self.old.contains(where: \.isContainer) else { return }
        pairByIDs()
        // The type may encode the elements in another order, as a set or a dictionary does.
        guard try isInSameOrder() else { return }
        pairEqualElements()
        try pairByPositions()
    }
}

extension ElementPairs {
    private mutating func pairByIDs() {
        let old = Self.unique(oldIDs)
        let before = Self.unique(beforeIDs)
        for (id, index) in Self.unique(newIDs) {
            if let source = old[id], let known = before[id] {
                sources[index] = Source(old: source, before: known)
            }
        }
    }

    /// The position of each id that exactly one element has.
    private static func unique(_ ids: [[UInt8]?]) -> [[UInt8]: Int] {
        let positions = ids.enumerated().compactMap { index, id in id.map { ($0, [index]) } }
        return Dictionary(positions, uniquingKeysWith: +).compactMapValues {
            $0.count == 1 ? $0[0] : nil
        }
    }

    /// Whether each old element without an id has the same position in the encoding of the old value.
    private func isInSameOrder() throws -> Bool {
        guard old.count == before.count else { return false }
        for index in old.indices where beforeIDs[index] == nil {
            guard try old[index].hasContent(of: before[index], isOlder: true) else { return false }
        }
        return true
    }

    /// Pairs equal elements in their order.
    ///
    /// Skips elements whose number of copies has changed, because nobody knows which copy was added or removed.
    private mutating func pairEqualElements() {
        func positions(_ elements: [JSONValue], _ ids: [[UInt8]?]) -> [[UInt8]: [Int]] {
            let containers = elements.indices.filter {
                ids[$0] == nil && elements[$0].isContainer
            }
            return Dictionary(grouping: containers) { Array(elements[$0].bytes) }
        }
        let known = positions(before, beforeIDs)
        for (bytes, indices) in positions(new, newIDs) {
            guard let sources = known[bytes], sources.count == indices.count else { continue }
            for (index, source) in zip(indices, sources) {
                self.sources[index] = Source(old: source, before: source)
            }
        }
    }

    /// Pairs the elements that changed, if all others have their old positions.
    private mutating func pairByPositions() throws {
        guard before.count == new.count else { return }
        var changed: [Int] = []
        for index in new.indices {
            if let source = sources[index] {
                guard source.before == index else { return }
            } else if before[index].isContainer || new[index].isContainer {
                guard beforeIDs[index] == nil, newIDs[index] == nil else { return }
                changed.append(index)
            }
        }
        for index in changed {
            // If several changed, other elements may be at their positions now, so ask for an equal member.
            guard try changed.count == 1 || before[index].sharesMember(with: new[index]) else {
                continue
            }
            sources[index] = Source(old: index, before: index)
        }
    }
}

extension JSONValue {
    /// The bytes of the member `id` of an object; nil if there is none, or if it is null.
    fileprivate var id: [UInt8]? {
        get throws {
            guard let id = try members().first(where: { $0.key == "id" })?.value else {
                return nil
            }
            return id.bytes.first == UInt8(ascii: "n") ? nil : Array(id.bytes)
        }
    }

    /// Whether both objects have a member with the same name and the same string or number.
    fileprivate func sharesMember(with other: JSONValue) throws -> Bool {
        let others = try other.members()
        let index = JSONValue.index(of: others)
        return try members().contains { member in
            guard member.value.isString || member.value.isNumber,
                let found = member.key.flatMap({ index[$0] })
            else { return false }
            return others[found].value == member.value
        }
    }
}
