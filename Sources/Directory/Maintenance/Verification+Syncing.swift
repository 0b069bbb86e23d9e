import FileSystem
import Foundation

/// Findings that a sync engine shares the folder with other devices: locks do not reach these, so changes of two
/// devices can overwrite each other.
extension Verification {
    func syncing() throws -> [Result] {
        let copies = try conflictCopies.sorted { $0.string < $1.string }.map { name in
            result(
                .conflictCopy, folder.handle.url(of: name),
                "a sync engine put the file of another device here, and the changes in it are in no collection",
                .undecided)
        }
        return try copies + syncedFolder()
    }

    /// The conflict copies of the files of this index.
    var conflictCopies: [FileName] {
        get throws {
            let names = folder.names
            return ConflictCopies.of(
                [names.index, names.journal, names.lock], in: try fileSystem.list(folder.handle))
        }
    }

    private func syncedFolder() throws -> [Result] {
        var found: [URL] = []
        for (above, _) in try fileSystem.foldersUpwards(from: folder.handle) {
            // A folder that cannot be read is skipped.
            if (try? fileSystem.status(of: ".stfolder", in: above)) != nil {
                found.append(above.url)
            }
        }
        #if canImport(Darwin)
            let values = try? folder.url.resourceValues(forKeys: [.isUbiquitousItemKey])
            if values?.isUbiquitousItem == true { found.append(folder.url) }
        #endif
        return found.prefix(1).map {
            result(
                .syncedFolder, $0,
                "a sync engine shares this folder, so changes of two devices can overwrite each other",
                .undecided)
        }
    }
}
