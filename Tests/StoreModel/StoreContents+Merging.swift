extension StoreContents {
    /// These contents after the change that made `new` of `old`; nil if they lack what changed.
    package func applying(_ old: StoreContents, _ new: StoreContents) -> StoreContents? {
        guard let notes = notes.applying(old.notes, new.notes, by: \.id),
            let boxes = boxes.map(\.box).applying(
                old.boxes.map(\.box), new.boxes.map(\.box), by: \.id),
            let archive = archive.map(\.box).applying(
                old.archive.map(\.box), new.archive.map(\.box), by: \.id)
        else { return nil }
        var contents = StoreContents(notes: notes)
        let (albums, oldAlbums, newAlbums) = (albums, old.albums, new.albums)
        for (list, boxes) in [(\StoreContents.boxes, boxes), (\.archive, archive)] {
            for box in boxes {
                let new = newAlbums[box.id] ?? []
                let photos =
                    if let own = albums[box.id], let old = oldAlbums[box.id] {
                        own.applying(old, new, by: \.name)
                    } else { albums[box.id] ?? new }
                guard let photos else { return nil }
                contents[keyPath: list].append(StoredBox(box: box, photos: photos))
            }
        }
        return contents
    }

    private var albums: [Int: [StoredPhoto]] {
        let pairs = (boxes + archive).map { ($0.box.id, $0.photos) }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension Array where Element: Equatable {
    /// The same after the change that made `new` of `old`: removals, updates, and then additions at
    /// the end, or a move of the first element to the end.
    fileprivate func applying<Key: Hashable>(
        _ old: [Element], _ new: [Element], by key: (Element) -> Key
    ) -> [Element]? {
        if old == new { return self }
        let (oldKeys, newKeys) = (old.map(key), new.map(key))
        var elements = self
        if oldKeys != newKeys, Set(oldKeys) == Set(newKeys), let moved = oldKeys.first {
            guard let index = elements.firstIndex(where: { key($0) == moved }) else { return nil }
            elements.append(elements.remove(at: index))
        }
        for element in old where !new.contains(element) {
            guard let index = elements.firstIndex(where: { key($0) == key(element) }) else {
                return nil
            }
            if let updated = new.first(where: { key($0) == key(element) }) {
                elements[index] = updated
            } else {
                elements.remove(at: index)
            }
        }
        let added = new.filter { !oldKeys.contains(key($0)) }
        guard !elements.contains(where: { added.map(key).contains(key($0)) }) else { return nil }
        return elements + added
    }
}
