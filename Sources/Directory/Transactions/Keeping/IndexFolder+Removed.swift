import FileSystem
import Foundation

/// What was removed recently: the folders in `.removed` that are named like those of transactions.
extension IndexFolder {
    /// One of these folders.
    struct Removed {
        let name: FileName
        let folder: Handle
        let record: RemovalRecord
    }

    /// All that has a record, in no order.
    var allRemoved: [Removed] {
        get throws { try removedFolders.compactMap(removed) }
    }

    /// The names of the folders, also of those without a record.
    private var removedFolders: [FileName] {
        get throws {
            guard let parent = try openFolder(IndexNames.removed) else { return [] }
            let all = try fileSystem.unlessMissing { try fileSystem.list(parent) } ?? []
            return all.filter(names.isTransactionFolder)
        }
    }

    /// What is in the folder `name`; nil if it is missing or has no record.
    func removed(_ name: FileName) throws -> Removed? {
        guard let folder = try openFolder(name, in: IndexNames.removed),
            let record = try removalRecord(in: folder)
        else { return nil }
        return Removed(name: name, folder: folder, record: record)
    }

    /// Takes the items with `numbers` out of the record; if none is left, removes the folder.
    ///
    /// What waits of these items is deleted, if it has not been brought back. If `durably`, they stay out of it after a
    /// power loss.
    func drop(_ numbers: Set<Int>, of removed: Removed, durably: Bool) throws {
        var record = removed.record
        let dropped = numbers.compactMap { record.items[$0] }
        for number in numbers { record.items[number] = nil }
        if record.isEmpty { return try remove(removed, durably: durably) }
        var intent = Intent()
        intent.removal = record
        let temporary = try names.newTemporary()
        let file = try makeFile(temporary, in: removed.folder)
        try fileSystem.write(intent.encoded(), to: file, at: 0)
        if durably { try fileSystem.sync(file) }
        try fileSystem.rename(
            temporary, in: removed.folder, to: RemovalRecord.fileName, in: removed.folder,
            replacing: true)
        if durably { try fileSystem.sync(removed.folder) }
        for owned in dropped.flatMap({ [$0.folder, $0.file] }) {
            if let owned { try fileSystem.removeTree(owned.slot, in: removed.folder) }
        }
    }

    /// Removes a folder and all in it; the record goes first, so that nothing is brought back that is half deleted.
    private func remove(_ removed: Removed, durably: Bool) throws {
        _ = try fileSystem.unlessMissing {
            try fileSystem.removeFile(RemovalRecord.fileName, in: removed.folder)
        }
        if durably { try fileSystem.sync(removed.folder) }
        if let parent = try openFolder(IndexNames.removed) {
            try fileSystem.removeTree(removed.name, in: parent)
        }
        removeIfEmpty(IndexNames.removed)
    }

    /// Removes for good what was to be kept until now at most, and what has no record any more; needs no lock.
    func removeExpired() throws {
        let now = Int(Date().timeIntervalSince1970 * 1000)
        for name in try removedFolders {
            if let removed = try removed(name) {
                if removed.record.until <= now { try remove(removed, durably: false) }
            } else if let parent = try openFolder(IndexNames.removed),
                let folder = try fileSystem.openFolderIfPresent(name, in: parent),
                // A record that cannot be read may be one of a later version.
                try fileSystem.status(of: RemovalRecord.fileName, in: folder) == nil
            {
                try fileSystem.removeTree(name, in: parent)
            }
        }
        removeIfEmpty(IndexNames.removed)
    }
}
