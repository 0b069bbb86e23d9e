/// One committed state of an index: its elements, and the lines that are none.
///
/// A class, so that handing it on costs one reference.
final class Snapshot: Sendable {
    let elements: Elements
    let damaged: [DamagedLine]
    /// The names of the folders and files that the elements own.
    let names: LazyNames

    init(_ elements: Elements, damaged: [DamagedLine] = [], names: LazyNames) {
        self.elements = elements
        self.damaged = damaged
        self.names = names
    }

    /// The state of a missing index.
    static let empty = Snapshot(Elements(), names: LazyNames())
}

/// A line of the index that is not an element of its type, kept byte for byte.
struct DamagedLine: Sendable {
    var line: ArraySlice<UInt8>
    var reason: String
    /// The error of decoding it; nil if it can be decoded.
    var error: (any Error)?
    /// The id of the element before it; nil at the front.
    var predecessor: ElementID?
    /// The id of the earlier element whose duplicate this line is; nil if it is not a duplicate.
    var duplicated: ElementID?
    /// The id of the line, which no new element gets; nil if it cannot be read.
    var id: ElementID?
}

extension [DamagedLine] {
    /// Whether both have the same lines at the same places.
    func isSame(as other: Self) -> Bool {
        elementsEqual(other) { $0.line == $1.line && $0.predecessor == $1.predecessor }
    }
}

extension Snapshot {
    /// Whether every line that can own files is an element; duplicates own nothing.
    var areAllOwnersKnown: Bool {
        damaged.isEmpty || damaged.allSatisfy { $0.duplicated != nil }
    }

    /// Whether each damaged line can be the item of another version of the app, so that a repair leaves it in the index:
    /// it is an object with an id that no element has, and no damaged line before it.
    var mayBeItems: [Bool] {
        var known: Set<ElementID> = []
        return damaged.map { line in
            // An id that does not equal itself is never that of an item.
            guard let id = line.id, id.element.hasID(of: id.element), line.duplicated == nil,
                !elements.contains(id)
            else { return false }
            return known.insert(id).inserted
        }
    }

    /// The lines of the index in order: the line of each element, then the damaged lines that follow
    /// it.
    var lines: [ArraySlice<UInt8>] {
        if damaged.isEmpty {
            var lines: [ArraySlice<UInt8>] = []
            lines.reserveCapacity(elements.count)
            for element in elements { lines.append(element.line) }
            return lines
        }
        let damagedLines = Dictionary(grouping: damaged, by: \.predecessor)
            .mapValues { $0.map(\.line) }
        var lines = damagedLines[nil] ?? []
        for element in elements {
            lines.append(element.line)
            if let following = damagedLines[element.id] { lines += following }
        }
        return lines
    }
}
