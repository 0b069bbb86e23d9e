/// What somebody who knew a value of an item has removed.
package enum Removal: Int, Hashable, Sendable, Comparable {
    case nothing
    /// A container that the item was in. If somebody moved that container away without knowing of its removal, the item is
    /// still in it.
    case container
    case item

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The values of one member of an item: one, or several that were written without knowing of each other.
package struct Register<Value: Hashable & Sendable>: Hashable, Sendable {
    /// A value that nobody has replaced.
    package struct Entry: Hashable, Sendable {
        package var stamp: Stamp
        /// What somebody who knew the value has removed.
        package var removed: Removal
        package var value: Value

        package init(_ value: Value, _ stamp: Stamp, removed: Removal = .nothing) {
            (self.stamp, self.removed, self.value) = (stamp, removed, value)
        }
    }

    /// Ascending by their dots, which differ.
    package private(set) var entries: [Entry]

    package init(_ entries: [Entry] = []) {
        self.entries = entries.sorted { $0.stamp.dot < $1.stamp.dot }
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// The values that count: those that live; if none does, those that were removed with a container, or else all.
    package var candidates: [Entry] {
        let least = entries.map(\.removed).min()
        return entries.filter { $0.removed == least }
    }
}

extension Register {
    /// Replaces the values that the writer had seen.
    mutating func write(
        _ value: Value, _ stamp: Stamp, seen: VersionVector, _ rules: MergeRules
    ) {
        entries.removeAll { rules.supersedes(seen, $0.stamp.dot) || $0.stamp.dot == stamp.dot }
        let place = entries.firstIndex { stamp.dot < $0.stamp.dot } ?? entries.endIndex
        entries.insert(Entry(value, stamp), at: place)
    }

    /// Marks the values that the device which removed the item, or a container with it, had seen.
    mutating func remove(_ removed: Removal, seen: VersionVector, _ rules: MergeRules) {
        for index in entries.indices where rules.removes(seen, entries[index].stamp.dot) {
            entries[index].removed = max(entries[index].removed, removed)
        }
    }

    /// Joins the same register of another state.
    ///
    /// A value that only one state has stays, unless the other state has seen it: then somebody has replaced it there.
    mutating func join(
        _ other: Self, seen: VersionVector, otherSeen: VersionVector, _ rules: MergeRules
    ) {
        if self == other { return }
        var (mine, theirs) = (entries[...], other.entries[...])
        var joined: [Entry] = []
        while let next = mine.first ?? theirs.first {
            let first = [mine.first, theirs.first].compactMap(\.self).min {
                $0.stamp.dot < $1.stamp.dot
            }
            let dot = (first ?? next).stamp.dot
            let one = mine.first?.stamp.dot == dot ? mine.popFirst() : nil
            let two = theirs.first?.stamp.dot == dot ? theirs.popFirst() : nil
            switch (one, two) {
            case (var one?, let two?):
                one.removed = max(one.removed, two.removed)
                joined.append(one)
            case (let one?, nil): if !rules.forgot(otherSeen, dot) { joined.append(one) }
            case (nil, let two?): if !rules.forgot(seen, dot) { joined.append(two) }
            case (nil, nil): break
            }
        }
        entries = joined
    }

    /// The value that is shown.
    func winner(_ rules: MergeRules) -> Entry? {
        candidates.max { rules.precedes($0.stamp, $1.stamp) }
    }
}
