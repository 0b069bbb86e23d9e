import JSONCodec

/// What this device tells although nothing has changed here: others do not know it, or nobody shows it any longer.
extension Difference {
    /// Adds the parts of living items that other devices have forgotten, and files that were missing here.
    ///
    /// A device forgets a removed item, unless it knows of a write that keeps the item: also a file that was told to
    /// nobody before the removal. `publish` puts the bytes of an asset of a collection into the shared folder, and
    /// returns nil if it is missing, or cannot be read.
    mutating func addForgotten(
        _ items: Set<ItemReference>,
        publish: (String, ItemReference, CollectionReference) throws -> FileValue?
    ) throws {
        let changed = Set(change.items.map(\.item))
        let kept = forgottenContainers(of: items)
        for item in items.union(kept) where places[item] == nil && !changed.contains(item) {
            guard var shown = base[item] else { continue }
            var entry = SegmentEntry(item)
            entry.seen = shown.seen
            let isAlive = state.isAlive(item) || kept.contains(item)
            if kinds[item.kind]?.ownsFiles == true {
                let known = state[item]?.file(state.rules)
                if shown.file == nil, let name = shown.fileName,
                    let file = try publish(name, item, collection(of: item))
                {
                    shown.file = file
                    change.items.append((item, shown))
                    if !isAlive || file != known { entry.file = file }
                } else if isAlive, known == nil {
                    entry.file = shown.file
                }
            }
            guard isAlive || entry.file != nil else { continue }
            try addForgottenParts(of: item, shown, to: &entry)
            if !entry.isEmpty { entries.append(entry) }
            if state[item].map(\.livesByItsPlace) == true { addForgottenContents(of: item) }
        }
    }

    /// Adds the items in a container that others have removed, and that lives because it was moved away: they have forgotten
    /// these items.
    private mutating func addForgottenContents(of container: ItemReference) {
        for kind in kinds.keys where Kind.parent(of: kind) == container.kind {
            for key in base.orders[CollectionReference(kind, in: container.key)] ?? [] {
                let item = ItemReference(kind, key)
                guard let shown = base[item], state[item] == nil, places[item] == nil else {
                    continue
                }
                var entry = SegmentEntry(item)
                (entry.container, entry.position) = (.some(container.key), shown.position)
                (entry.set, entry.file) = (shown.line, shown.file)
                entries.append(entry)
                addForgottenContents(of: item)
            }
        }
    }

    /// The containers that living items are in here, if nobody else knows any longer that the items are in them.
    private func forgottenContainers(of items: Set<ItemReference>) -> Set<ItemReference> {
        var found: Set<ItemReference> = []
        for item in items {
            var next = collection(of: item).owner
            guard next != nil, state.isAlive(item), state[item]?.container(state.rules) == nil
            else { continue }
            while let container = next, base[container] != nil, found.insert(container).inserted {
                next = collection(of: container).owner
            }
        }
        return found
    }

    private func addForgottenParts(
        of item: ItemReference, _ shown: ShownItem, to entry: inout SegmentEntry
    ) throws {
        // An item that one segment wrote as a whole lacks nothing.
        if case .plain = state[item]?.form { return }
        let known = state[item]?.registers ?? .init()
        if known.container.isEmpty { entry.container = .some(shown.container) }
        if known.position.isEmpty { entry.position = shown.position }
        let missing = (try JSONMembers.all(of: shown.line) ?? []).filter {
            known.members[$0.name]?.isEmpty != false
        }
        if !missing.isEmpty { entry.set = Self.object(of: missing) }
    }

    /// Adds the removals of items whose files are lost: only this device has shown them, without a file, and it does not
    /// any longer.
    ///
    /// Nobody could remove them, and they would keep the containers that they are in.
    mutating func addLost(_ items: Set<ItemReference>, of device: DeviceID) {
        for item in items
        where kinds[item.kind]?.ownsFiles == true && base[item] == nil && places[item] == nil {
            guard let known = state[item], known.isAlive, known.file(state.rules) == nil,
                known.isOnly(of: device)
            else { continue }
            var entry = SegmentEntry(item)
            entry.removed = .item
            entries.append(entry)
        }
    }
}
