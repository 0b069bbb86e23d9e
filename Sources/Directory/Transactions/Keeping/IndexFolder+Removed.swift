import FileSystem
import Foundation

/// Recently removed items: the folders in `.removed` with names like those of transaction folders.
extension IndexFolder {
    /// A folder of recently removed items.
    struct Removed {
        let name: FileName
        let folder: Handle
        let record: RemovalRecord

        func isNewer(than other: Removed) -> Bool {
            (record.date, name.string) > (other.record.date, other.name.string)
        }
    }

    /// The folders that have a record, in no order.
    ///
    /// A folder or a record without access is left out, so that it does not hide the others.
    var allRemoved: [Removed] {
        get throws {
            try removedFolders.compactMap { name in
                try fileSystem.unlessRefused { try removed(name) } ?? nil
            }
        }
    }

    /// The folders whose record is there, but cannot be read, with their sizes; nil for a folder without access.
    ///
    /// They stay, because a later version may have written the record.
    var removedWithUnreadableRecord: [(url: URL, byteCount: Int?)] {
        get throws {
            guard let parent = try openFolder(IndexNames.removed) else { return [] }
            return try removedFolders.sorted { $0.string < $1.string }.compactMap { name in
                let size = try fileSystem.unlessRefused { () -> Int? in
                    guard let folder = try openFolder(name, in: IndexNames.removed),
                        try removalRecord(in: folder) == nil, try hasRecord(folder)
                    else { return nil }
                    return try fileSystem.byteCount(below: folder)
                }
                if case .some(nil) = size { return nil }
                return (parent.url(of: name), size ?? nil)
            }
        }
    }

    private func hasRecord(_ folder: Handle) throws -> Bool {
        try fileSystem.status(of: RemovalRecord.fileName, in: folder) != nil
    }

    /// The names of all such folders, with or without a record.
    private var removedFolders: [FileName] {
        get throws {
            guard let parent = try openFolder(IndexNames.removed) else { return [] }
            let all = try fileSystem.unlessMissing { try fileSystem.list(parent) } ?? []
            return all.filter(names.isTransactionFolder)
        }
    }

    /// The folder `name`; nil if it is missing or has no record.
    func removed(_ name: FileName) throws -> Removed? {
        guard let folder = try openFolder(name, in: IndexNames.removed),
            let record = try removalRecord(in: folder)
        else { return nil }
        return Removed(name: name, folder: folder, record: record)
    }

    /// Removes the items with `numbers` from the record, and the folder if no item is left.
    ///
    /// Their files are deleted, unless they were brought back. If `durably`, a power loss does not return the items to
    /// the record.
    func drop(_ numbers: Set<Int>, of removed: Removed, durably: Bool) throws {
        var record = removed.record
        let dropped = numbers.compactMap { record.items[$0] }
        for number in numbers { record.items[number] = nil }
        if record.isEmpty { return try remove(removed, durably: durably) }
        var slots = dropped.flatMap { [$0.folder, $0.file].compactMap { $0?.slot } }
        do {
            try write(record, in: removed.folder)
        } catch let error as FileSystemError where error.isFullVolume {
            // An item whose folder or file has another name there is removed too, and that needs no space.
            guard dropped.allSatisfy({ $0.folder != nil || $0.file != nil }) else { throw error }
            slots = try slots.compactMap { slot in
                let hidden = try FileName(validating: ".\(RandomName.digits())")
                return try fileSystem.moveIfPresent(
                    slot, in: removed.folder, to: hidden, in: removed.folder) ? hidden : nil
            }
        }
        if durably { try fileSystem.sync(removed.folder) }
        for slot in slots { try fileSystem.removeTree(slot, in: removed.folder) }
    }

    /// Replaces the record in the open folder.
    private func write(_ record: RemovalRecord, in folder: Handle) throws {
        var intent = Intent()
        intent.removal = record
        // Synced, because the others in the record must outlive a power loss.
        try IndexFolder(store: store, handle: folder).makeTemporary {
            try fileSystem.write(intent.encoded(), to: $0, at: 0)
        } then: { temporary, _, _ in
            try fileSystem.rename(
                temporary, in: folder, to: RemovalRecord.fileName, in: folder, replacing: true)
        }
    }

    /// Removes a folder and its contents, the record first, so that nothing half deleted is brought back.
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

    /// Removes the records of expired folders, under the lock, so that no commit brings their contents back meanwhile.
    func removeExpiredRecords() throws {
        let now = RemovalRecord.now
        for name in try removedFolders {
            try fileSystem.unlessRefused {
                guard let removed = try removed(name), removed.record.until <= now else { return }
                try fileSystem.removeFile(RemovalRecord.fileName, in: removed.folder)
            }
        }
    }

    /// Removes for good the folders that have no record any more; needs no lock.
    func removeFoldersWithoutRecord() throws {
        for name in try removedFolders {
            try fileSystem.unlessRefused {
                guard let parent = try openFolder(IndexNames.removed),
                    let folder = try fileSystem.openFolderIfPresent(name, in: parent),
                    try !hasRecord(folder)
                else { return }
                try fileSystem.removeTree(name, in: parent)
            }
        }
        removeIfEmpty(IndexNames.removed)
    }
}
