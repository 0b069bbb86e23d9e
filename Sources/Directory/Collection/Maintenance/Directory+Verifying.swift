import FileSystem
import Foundation

extension Directory {
    /// Compares the index with the files in the folder, and changes neither.
    ///
    /// Unfinished changes of a process that crashed are recovered first, as `load()` does. This also works on a volume
    /// that is full or read-only, but then without recovery. Unknown folders are looked for only if the folder has no
    /// other index and no lock file of one, because items of that index could own them. Files that this process is
    /// still deleting are no findings.
    ///
    /// - Returns: The findings; empty if index and files agree.
    /// - Throws: ``DirectoryError`` with the [codes of every load](doc:Errors#Codes-of-every-load).
    public func verify() throws -> [Finding] {
        let core = core
        try core.load()
        return try core.describing("verify") {
            try core.checkJournals()
            do {
                // Under the lock, so that no change is under way.
                let findings = try core.withLock(accepting: .unfinished) {
                    try core.verify($0.snapshot, in: $0.folder).map(\.finding)
                }
                // A container that was removed meanwhile is being deleted file by file.
                if findings?.isEmpty == false { _ = try core.openFolder(making: false) }
                return findings ?? []
            } catch let error as FileSystemError where error.isWriteRefusal {
                guard let folder = try core.openFolder(making: false) else { return [] }
                return try core.verify(core.snapshot, in: folder).map(\.finding)
            }
        }
    }

    /// Repairs the findings of `verify()`, without deleting any bytes.
    ///
    /// Files and folders without an owner, items without their file, with the folders that they own, and elements that
    /// can be no items are set aside into the folder `name.recovered` beside the index.
    ///
    /// An element that cannot be decoded, but is an object with an id that no other element has, may be an item of an
    /// older or newer version of the app. It stays in the index, damaged, for `migrateDamagedItems(_:)`. As long as there
    /// is one, files and folders without an owner stay too, because they may be its own. `verify()` goes on to report
    /// all of these.
    ///
    /// An unfinished transfer whose other collection cannot be found is set aside too, and never completed. Unfinished
    /// changes of another machine are completed or undone, and its staged and kept files are removed; so call this only
    /// if that machine will not continue. Changes that this process has read from a journal, and that others have
    /// removed with it, are written again. If it has read none, an index whose journal is gone is accepted as it is.
    ///
    /// When this method returns, all of that is on stable storage. If it throws, or if the process dies first, some
    /// findings are repaired and the others are as before: call it again.
    ///
    /// - Returns: The repairs, one by one.
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func repair() throws -> [Repair] {
        try repairAdopting { _ in nil }
    }
}

extension Directory {
    private func repairAdopting(_ adopt: (OrphanAsset) throws -> Item?) throws -> [Repair] {
        let core = core
        do {
            try core.load()
        } catch let error as DirectoryError where error.code == .journalMissing {
            // The lock below writes what this process still has.
        }
        return try core.describing("repair") {
            do {
                let repairs = try core.withLock(accepting: .unrepaired) { index in
                    try index.repairs
                        + Repairing(
                            index: index, live: core.live.all,
                            isContainer: core.location.value.isContainer,
                            checkThatFolderIsInPlace: { _ = try core.statusInPlace() }
                        ).run { orphan in
                            let item = try core.insideWrite { try adopt(orphan) }
                            return try item.map(coding.element)
                        } commit: { draft in
                            let request = CommitRequest(
                                durability: .durable, operation: "repair", recording: .none)
                            try core.run(draft, request, on: index)
                        }
                }
                return repairs ?? []
            } catch let error as FileSystemError where error.isWriteRefusal {
                guard let folder = try core.openFolder(making: false),
                    try !core.verify(core.snapshot, in: folder).isEmpty
                else { return [] }
                throw error
            }
        }
    }
}

extension Core {
    fileprivate func verify(_ snapshot: Snapshot, in folder: IndexFolder) throws
        -> [Verification.Result]
    {
        try Verification(
            snapshot: snapshot, reader: reader, folder: folder, live: live.all,
            isContainer: location.value.isContainer
        ).results()
    }
}

extension Directory where Item: Asset {
    /// Repairs the findings of `verify()`, and gives orphans an item again.
    ///
    /// - Parameter adopt: Returns an item that owns the orphan, or nil to set it aside. It must not
    ///   change or load this collection.
    /// - Returns: The repairs, one by one.
    /// - Throws: The error of `adopt`, or ``DirectoryError`` with the [codes of every
    ///   change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func repair(adopting adopt: (OrphanAsset) throws -> Item?) throws -> [Repair] {
        try repairAdopting(adopt)
    }
}

extension Directory where Item == Photo {
    /// Repairs the findings of `verify()`; orphans become photographs again.
    ///
    /// - Returns: The repairs, one by one.
    /// - Throws: ``DirectoryError`` with the [codes of every change](doc:Errors#Codes-of-every-change).
    @discardableResult
    public func repair() throws -> [Repair] {
        var adopted: Set<UUID> = []
        return try repair { orphan in
            let stem = (orphan.fileName as NSString).deletingPathExtension
            let id = UUID(uuidString: stem).flatMap {
                let isFree = self.currentItems[id: $0] == nil
                return isFree && adopted.insert($0).inserted ? $0 : nil
            }
            return Photo(
                id: id ?? UUID(), date: orphan.date, name: orphan.fileName,
                fileName: orphan.fileName, byteCount: orphan.byteCount)
        }
    }
}
