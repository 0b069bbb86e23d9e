/// The part of a store that one index describes.
package enum StorePart: Hashable, Sendable {
    case notes, boxes, archive
    case album(Int)
}

extension StoreContents {
    private var albums: [Int: [StoredPhoto]] {
        let pairs = (boxes + archive).map { ($0.box.id, $0.photos) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The parts that differ between these contents and `new`.
    package func changedParts(to new: StoreContents) -> Set<StorePart> {
        var parts: Set<StorePart> = []
        if notes != new.notes { parts.insert(.notes) }
        if boxes.map(\.box) != new.boxes.map(\.box) { parts.insert(.boxes) }
        if archive.map(\.box) != new.archive.map(\.box) { parts.insert(.archive) }
        let (albums, newAlbums) = (albums, new.albums)
        for id in Set(albums.keys).union(newAlbums.keys) where albums[id] != newAlbums[id] {
            parts.insert(.album(id))
        }
        return parts
    }

    /// These contents with each part of `new` that differs from `old`.
    package func applying(_ old: StoreContents, _ new: StoreContents) -> StoreContents {
        let parts = old.changedParts(to: new)
        let (albums, newAlbums) = (albums, new.albums)
        func fill(_ boxes: [StoredBox]) -> [StoredBox] {
            boxes.map { stored in
                let id = stored.box.id
                let isNew = parts.contains(.album(id)) || albums[id] == nil
                return StoredBox(box: stored.box, photos: (isNew ? newAlbums : albums)[id] ?? [])
            }
        }
        return StoreContents(
            notes: parts.contains(.notes) ? new.notes : notes,
            boxes: fill(parts.contains(.boxes) ? new.boxes : boxes),
            archive: fill(parts.contains(.archive) ? new.archive : archive))
    }
}
