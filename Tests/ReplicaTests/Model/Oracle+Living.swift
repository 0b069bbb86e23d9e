import DirectoryReplicas

/// Which items must be shown in the end, and which may be.
extension Oracle {
    /// Whether something was written of the item that nobody who removed it can have known.
    ///
    /// Those who removed it may have forgotten it before they knew of the device that wrote. That device would tell them
    /// the rest of the item again, unless its store was set back.
    func mustLive(_ item: ItemReference) -> Bool {
        let isRemoved = removals[item] != nil
        let isKept = (writes[item] ?? [:]).keys.contains { member in
            keptValues(item, member).contains { write in
                !isRemoved || member == "@of" || !setBack.contains(write.dot.device)
            }
        }
        return isKept || !forgets && mustLiveWithContainer(item)
    }

    /// Whether the item was removed only with a container that somebody moved away without knowing of that.
    private func mustLiveWithContainer(_ item: ItemReference) -> Bool {
        let places = possibleValues(item, "@of")
        return !places.isEmpty
            && places.allSatisfy { write in
                isNeverReplaced(write, item, "@of")
                    && container(in: write, of: item).map(mustBePlaced) == true
            }
    }

    private func mustBePlaced(_ item: ItemReference) -> Bool {
        (writes[item]?["@of"] ?? []).contains { write in
            guard isNeverReplaced(write, item, "@of") else { return false }
            let isRemoved = (removals[item] ?? []).contains { mayKnow($0, write.dot) }
            return !isRemoved || container(in: write, of: item).map(mustBePlaced) == true
        }
    }

    /// Whether nobody can have replaced a value, or removed the item alone knowing it.
    private func isNeverReplaced(_ write: Write, _ item: ItemReference, _ member: String) -> Bool {
        let others = (writes[item]?[member] ?? []).filter { $0.dot != write.dot }
        let alone = (removals[item] ?? []).filter { !isOfContainer($0, item) }
        return !others.contains { mayKnow($0.dot, write.dot) }
            && !alone.contains { mayKnow($0, write.dot) }
    }

    private func isOfContainer(_ removal: Dot, _ item: ItemReference) -> Bool {
        removalsOfContainers[item]?.contains(removal) == true
    }

    private func container(in write: Write, of item: ItemReference) -> ItemReference? {
        guard let value = write.value, let slash = item.kind.lastIndex(of: "/") else { return nil }
        return ItemReference(String(item.kind[..<slash]), ItemKey(text: value))
    }

    /// Whether something may have been written that those who removed it did not know, or that went with a container which
    /// may have been moved away.
    func mayLive(_ item: ItemReference) -> Bool {
        let mayBeInPlace = possibleValues(item, "@of").contains { write in
            container(in: write, of: item).map(mayBePlaced) == true
        }
        return (writes[item] ?? [:]).keys.contains { member in
            possibleValues(item, member).contains { write in
                let known = (removals[item] ?? []).filter { knows($0, write.dot, of: item) }
                return known.isEmpty || mayBeInPlace && known.allSatisfy { isOfContainer($0, item) }
            }
        }
    }

    private func mayBePlaced(_ item: ItemReference) -> Bool {
        possibleValues(item, "@of").contains { write in
            let known = (removals[item] ?? []).filter { knows($0, write.dot, of: item) }
            if !known.allSatisfy({ isOfContainer($0, item) }) { return false }
            return known.isEmpty || container(in: write, of: item).map(mayBePlaced) == true
        }
    }
}
