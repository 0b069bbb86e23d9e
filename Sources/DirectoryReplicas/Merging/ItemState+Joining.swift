import JSONCodec

extension ItemState {
    /// The item that `entry` adds; nil if it does not write all of an item.
    init?(_ entry: SegmentEntry, _ stamp: Stamp) {
        guard entry.removed == .nothing, entry.unset.isEmpty, let container = entry.container,
            let position = entry.position, let line = entry.set
        else { return nil }
        self.init(
            .plain(
                Plain(
                    stamp: stamp, container: container, position: position,
                    file: entry.file, line: line)))
    }

    /// Applies an entry of a device that had seen `seen`.
    mutating func apply(
        _ entry: SegmentEntry, _ stamp: Stamp, seen: VersionVector, _ rules: MergeRules
    ) {
        var registers = self.registers
        if entry.removed != .nothing {
            registers.remove(entry.removed, seen: seen, rules)
            removals.removeAll { rules.forgot(seen, $0.dot) || $0.dot == stamp.dot }
            removals.append(stamp)
        }
        if let container = entry.container {
            registers.container.write(container, stamp, seen: seen, rules)
        }
        if let position = entry.position {
            registers.position.write(position, stamp, seen: seen, rules)
        }
        if let file = entry.file { registers.file.write(file, stamp, seen: seen, rules) }
        // The line was checked when it was read.
        for member in entry.set.flatMap({ try? JSONMembers.all(of: $0) }) ?? [] {
            registers.members[member.name, default: .init()]
                .write(member.value, stamp, seen: seen, rules)
        }
        for name in entry.unset {
            registers.members[name, default: .init()].write(nil, stamp, seen: seen, rules)
        }
        form = .registers(registers)
    }

    /// Joins the same item of another state.
    ///
    /// - Returns: Whether anything of the item is left.
    mutating func join(
        _ other: Self, seen: VersionVector, otherSeen: VersionVector, _ rules: MergeRules
    ) -> Bool {
        if case .plain(let mine) = form, case .plain(let theirs) = other.form,
            mine.stamp.dot == theirs.stamp.dot
        {
            if theirs.removed > mine.removed { form = other.form }
        } else {
            var registers = self.registers
            registers.join(other.registers, seen: seen, otherSeen: otherSeen, rules)
            form = .registers(registers)
        }
        let (mine, theirs) = (Set(removals), Set(other.removals))
        removals = mine.union(theirs).filter { removal in
            mine.contains(removal) && theirs.contains(removal)
                || !rules.forgot(mine.contains(removal) ? otherSeen : seen, removal.dot)
        }.sorted { $0.dot < $1.dot }
        if case .registers(let registers) = form, registers.isEmpty { return !removals.isEmpty }
        return true
    }
}

extension ItemState.Registers {
    fileprivate mutating func remove(
        _ removed: Removal, seen: VersionVector, _ rules: MergeRules
    ) {
        container.remove(removed, seen: seen, rules)
        position.remove(removed, seen: seen, rules)
        file.remove(removed, seen: seen, rules)
        for name in members.keys { members[name]?.remove(removed, seen: seen, rules) }
    }

    fileprivate mutating func join(
        _ other: Self, seen: VersionVector, otherSeen: VersionVector, _ rules: MergeRules
    ) {
        container.join(other.container, seen: seen, otherSeen: otherSeen, rules)
        position.join(other.position, seen: seen, otherSeen: otherSeen, rules)
        file.join(other.file, seen: seen, otherSeen: otherSeen, rules)
        for name in Set(members.keys).union(other.members.keys) {
            var register = members[name] ?? .init()
            register.join(
                other.members[name] ?? .init(), seen: seen, otherSeen: otherSeen, rules)
            members[name] = register.isEmpty ? nil : register
        }
    }
}
