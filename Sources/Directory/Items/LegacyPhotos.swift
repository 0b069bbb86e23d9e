import FileSystem
import Foundation

/// Photographs as the seed library left them: records without a size or a file name, and files
/// in `Photos` under a bare UUID.
enum LegacyPhotos {
    /// Completes such records from their files: the size, and the date if it is missing.
    ///
    /// - Returns: Whether there were such records. Their lines then differ from those on disk.
    static func complete(
        _ elements: inout Elements, in folder: IndexFolder, _ coding: ItemCoding<Photo>
    ) throws -> Bool {
        var foundAny = false
        for position in elements.indices {
            var photo = ItemElement<Photo>.of(elements[position]).item
            guard photo.isLegacy,
                let name = FileName(photo.fileName),
                let (_, status) = try folder.findAsset(name)
            else { continue }
            photo.complete(byteCount: status.size, modified: status.modificationDate)
            elements.replace(at: position, with: try coding.element(of: photo))
            foundAny = true
        }
        return foundAny
    }

    /// Moves the files with `names` from `Photos` to `photos`, except `leaving`, which the commit moves itself.
    ///
    /// Files are looked up in both folders, so a crash between two moves does no harm.
    static func moveFiles(
        of names: NameTable, except leaving: Set<FileName>,
        in folder: IndexFolder
    ) throws {
        let fileSystem = folder.fileSystem
        for legacy in folder.store.assetFolders.dropFirst() {
            guard let source = try folder.openFolder(legacy) else { continue }
            let assets = try folder.openOrMake(folder.names.stem)
            // On a volume that ignores case, both names lead to one folder.
            let isSame =
                try fileSystem.status(of: assets).identity
                == fileSystem.status(of: source).identity
            if isSame { return }
            let present = Set(try fileSystem.list(assets))
            for name in try fileSystem.list(source)
            where names.owns(name) && !present.contains(name) && !leaving.contains(name) {
                try fileSystem.move(name, in: source, to: name, in: assets)
            }
            try fileSystem.sync(assets)
            try fileSystem.sync(source)
            folder.removeIfEmpty(legacy)
        }
    }
}
