/// The values of one member of an item: one, or several that were written without knowing of each other.
package struct Register<Value: Hashable & Sendable>: Hashable, Sendable {
    /// A value that nobody has replaced.
    package struct Entry: Hashable, Sendable {
        package var stamp: Stamp
        /// Whether somebody who knew the value has removed the item.
        package var isDead: Bool
        package var value: Value

        package init(_ value: Value, _ stamp: Stamp, isDead: Bool = false) {
            (self.stamp, self.isDead, self.value) = (stamp, isDead, value)
        }
    }

    /// Ascending by their dots, which differ.
    package private(set) var entries: [Entry]

    package init(_ entries: [Entry] = []) {
        self.entries = entries.sorted { $0.stamp.dot < $1.stamp.dot }
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// The values that count: those that live, or all if none does.
    package var candidates: [Entry] {
        let alive = entries.filter { !$0.isDead }
        return alive.isEmpty ? entries : alive
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

    /// Marks the values that the one who removed the item had seen.
    mutating func remove(seen: VersionVector, _ rules: MergeRules) {
        for index in entries.indices where rules.removes(seen, entries[index].stamp.dot) {
            entries[index].isDead = true
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
                one.isDead = one.isDead || two.isDead
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
