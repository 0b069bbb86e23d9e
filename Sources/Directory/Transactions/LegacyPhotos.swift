import FileSystem
import Foundation

/// Photographs as the seed library left them: records without a size or a file name, and files
/// in `Photos` under a bare UUID.
enum LegacyPhotos {
    /// Gives photographs that came from legacy records what their files tell: the size, and the
    /// date where the record has none.
    ///
    /// They have no line then, so the next commit writes them as records of today.
    static func complete<Item>(
        _ items: inout Directory<Item>.Items, in folder: Handle, _ store: IndexStore
    ) throws {
        guard Item.self == Photo.self else { return }
        for position in items.indices {
            guard var photo = items[position] as? Photo, photo.isLegacy,
                let name = FileName(photo.fileName),
                let (_, status) = try store.findAsset(name, in: folder)
            else { continue }
            photo.complete(byteCount: status.size, modified: status.modificationDate)
            if let item = photo as? Item { items.replace(at: position, with: item) }
        }
    }

    /// Moves the files that `names` has from `Photos` to `photos`.
    ///
    /// Files are looked for in both folders, so a crash in between does no harm.
    static func moveFiles(
        of names: NameTable<some Hashable & Sendable>, in folder: Handle, _ store: IndexStore
    ) throws {
        let fileSystem = store.fileSystem
        for legacy in store.assetFolderNames.dropFirst() {
            guard let source = try fileSystem.openFolderIfPresent(legacy, in: folder) else {
                continue
            }
            let assets = try store.openOrMake(store.names.stem, in: folder)
            // On a volume that ignores case the two are one folder.
            let isSame =
                try fileSystem.status(of: assets).identity
                == fileSystem.status(of: source).identity
            if isSame { return }
            let arrived = Set(try fileSystem.list(assets))
            for name in try fileSystem.list(source)
            where names.owns(name) && !arrived.contains(name) {
                try fileSystem.rename(name, in: source, to: name, in: assets, replacing: false)
            }
            try fileSystem.sync(assets)
            try fileSystem.sync(source)
            store.removeIfEmpty(legacy, in: folder)
        }
    }
}
