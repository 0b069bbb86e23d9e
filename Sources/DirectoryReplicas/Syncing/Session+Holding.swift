import Directory

extension Session {
    /// The items whose removals wait, each with whether it waits for a person.
    ///
    /// Others wait until all collections can be read.
    func held(
        of removed: [ItemReference], _ looks: [CollectionLook]
    ) -> [ItemReference: Bool] {
        let base = known.base
        let waiting = removed.filter { !released.contains($0) }
        let newCount = waiting.count { base.held[$0]?.isForPerson != true }
        let isMany =
            newCount > options.removalLimit
            && Double(newCount) > 0.3 * Double(base.count + base.held.count)
        // An index that was removed is not a collection that was emptied.
        let lost = Set(
            looks.filter { $0.lacksIndex && base.orders[$0.collection] != nil }.map(\.collection))
        var held: [ItemReference: Bool] = [:]
        for item in waiting {
            if isMany || base.isInside(lost, item) || base.held[item]?.isForPerson == true {
                held[item] = true
            } else if unreadable.keys.contains(where: { Kind.isSameOrBelow(item.kind, $0.kind) }) {
                held[item] = false
            }
        }
        // A container is not removed before the items in it.
        let all = Set(removed)
        for (item, isForPerson) in held {
            var next = base.containerOfShown(item)
            while let container = next, all.contains(container) {
                held[container] = held[container] == true || isForPerson
                next = base.containerOfShown(container)
            }
        }
        return held
    }
}

extension Base {
    /// The container that an item is in here, or was in before its removal was held; nil in the root.
    fileprivate func containerOfShown(_ item: ItemReference) -> ItemReference? {
        let shown = self[item] ?? held[item]?.shown
        return CollectionReference(item.kind, in: shown?.container).owner
    }
}
