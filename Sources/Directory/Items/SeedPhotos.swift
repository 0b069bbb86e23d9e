import FileSystem
import Foundation

/// The records of photographs as the seed library left them: without a size or a file name.
enum SeedPhotos {
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
                let status = try folder.findAsset(name)?.status
            else { continue }
            photo.complete(byteCount: status.size, modified: status.modificationDate)
            elements.replace(at: position, with: try coding.element(of: photo))
            foundAny = true
        }
        return foundAny
    }
}
