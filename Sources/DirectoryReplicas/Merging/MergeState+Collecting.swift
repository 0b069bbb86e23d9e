import FileSystem

extension MergeState {
    /// The devices that count: those that were not removed.
    package var knownDevices: [DeviceID] {
        devices.keys.filter { !removedDevices.contains($0) }
    }

    /// Forgets the items that were removed before `time`, if every known device has shown that.
    ///
    /// A state that lacks an item which it has seen says that the item was removed, so other devices forget it too when
    /// they join this one.
    ///
    /// - Returns: Whether anything was forgotten.
    mutating func forgetRemovedItems(before time: Int) -> Bool {
        let vectors = knownDevices.map { acknowledged[$0] ?? .init() }
        let forgotten = removedItems.filter { item in
            !isAlive(item) && contents[item] == nil
                && removals(of: item).allSatisfy {
                    $0.time < time && rules.isAcknowledged(vectors, $0.dot)
                }
        }
        for item in forgotten { set(item, nil) }
        return !forgotten.isEmpty
    }

    /// Removals of items that were removed with a container which `entries` bring back without them: else they would come
    /// back with it.
    ///
    /// A removal that this device has not `shown` is not repeated: the container was moved away before.
    func repeatedRemovals(
        beside entries: [SegmentEntry], shown: VersionVector
    ) -> [SegmentEntry] {
        let written = Set(entries.map { ItemReference($0.kind, $0.key) })
        let broughtBack = entries.filter { $0.container != nil }
            .map { ItemReference($0.kind, $0.key) }.filter { !isPlaced($0) }
        return broughtBack.flatMap { contents[$0] ?? [] }
            .filter { item in
                !isAlive(item) && !written.contains(item)
                    && removals(of: item).contains { shown.covers($0.dot) }
            }
            .map { item in
                var entry = SegmentEntry(item)
                entry.removed = .item
                return entry
            }
    }

    /// Whether a removal is known that `shown` does not cover.
    func hasRemovals(notIn shown: VersionVector) -> Bool {
        removedItems.contains { item in
            removals(of: item).contains { !shown.covers($0.dot) }
        }
    }

    private func removals(of item: ItemReference) -> [Stamp] { self[item]?.removals ?? [] }

    /// The hashes of all files that items have or may have.
    var files: Set<SHA256.Digest> {
        var files: Set<SHA256.Digest> = []
        for items in items.values {
            for (_, state) in items { files.formUnion(state.files) }
        }
        return files
    }
}
