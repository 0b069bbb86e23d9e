import FileSystem
import Foundation

extension Directory {
    /// Compares the index with the files in the folder, and changes neither.
    ///
    /// What a crash left half done is recovered first, as `load()` does. This also works on a volume
    /// that is full or read-only, but then without recovery. Unknown folders are looked for only if the
    /// folder has no other index, and no lock of one, because its items could own them. What this
    /// process is still deleting is no finding.
    ///
    /// - Returns: The findings; none if all is well.
    /// - Throws: What `load()` throws.
    public func verify() throws -> [Finding] {
        let core = core
        try core.load()
        return try core.describing("verify") {
            guard let folder = try core.openFolder(making: false) else { return [] }
            let verify = { (snapshot: Snapshot) in
                try Verification(
                    snapshot: snapshot, folder: folder, live: core.live.all,
                    isContainer: core.location.value.isContainer
                ).results()
                    .map(\.finding)
            }
            do {
                // Under the lock, so that no change is under way.
                let findings = try core.withLock(in: folder, accepting: .unfinished) {
                    try verify($0.snapshot)
                }
                // A container that was removed meanwhile is being deleted file by file.
                if !findings.isEmpty { _ = try core.openFolder(making: false) }
                return findings
            } catch let error as FileSystemError where error.isWriteRefusal {
                return try verify(core.snapshot)
            }
        }
    }

    /// Repairs what `verify()` finds, without deleting any bytes.
    ///
    /// Files and folders that nobody owns, items without their file and elements that are not
    /// items are set aside into the folder `name.recovered` beside the index. A transfer that cannot
    /// find the other collection is set aside too, and is not ended later. What another machine
    /// began is ended or undone, and what it staged or could undo is removed, so do this only if that machine will not
    /// go on.
    ///
    /// When this method returns, all of that is on stable storage. If it throws, or if the process dies
    /// first, some of it was set aside and the rest is as before: call it again.
    ///
    /// - Returns: What was done, one by one.
    /// - Throws: What `write(_:)` throws.
    @discardableResult
    public func repair() throws -> [Repair] {
        try repairAdopting { _ in nil }
    }
}

extension Directory {
    private func repairAdopting(_ adopt: (OrphanAsset) throws -> Item?) throws -> [Repair] {
        let core = core
        try core.load()
        return try core.describing("repair") {
            guard let folder = try core.openFolder(making: false) else { return [] }
            do {
                return try core.withLock(in: folder, accepting: .unrepaired) { index in
                    try Repairing(
                        index: index, live: core.live.all,
                        isContainer: core.location.value.isContainer,
                        checkThatFolderIsInPlace: {
                            if try core.openFolderIfUnmoved() == nil { throw FolderMoved() }
                        }
                    ).run { orphan in
                        try core.insideWrite { try adopt(orphan) }
                    } commit: { draft in
                        let request = CommitRequest(
                            durability: .durable, operation: "repair", recording: .none)
                        try core.run(draft, request, on: index)
                    }
                }
            } catch let error as FileSystemError where error.isWriteRefusal {
                let results = try Verification(
                    snapshot: core.snapshot, folder: folder, live: core.live.all,
                    isContainer: core.location.value.isContainer
                ).results()
                guard results.isEmpty else { throw error }
                return []
            } catch is FolderMoved {
                // Without the lock, this may wait for that of the collection above.
                _ = try core.openFolder(making: false)
                return try repairAdopting(adopt)
            }
        }
    }
}

/// The folder of the index was moved or removed after it was opened.
private struct FolderMoved: Error {}

extension Directory where Item: Asset {
    /// Repairs what `verify()` finds, and gives orphans an item again.
    ///
    /// - Parameter adopt: Returns an item that owns the orphan, or nil to set it aside. It must not
    ///   change or load this collection.
    /// - Returns: What was done, one by one.
    /// - Throws: What `adopt` throws, and what `write(_:)` throws.
    @discardableResult
    public func repair(adopting adopt: (OrphanAsset) throws -> Item?) throws -> [Repair] {
        try repairAdopting(adopt)
    }
}

extension Directory where Item == Photo {
    /// Repairs what `verify()` finds; orphans become photographs again.
    ///
    /// - Returns: What was done, one by one.
    /// - Throws: What `write(_:)` throws.
    @discardableResult
    public func repair() throws -> [Repair] {
        var adopted: Set<UUID> = []
        return try repair { orphan in
            let stem = (orphan.fileName as NSString).deletingPathExtension
            let id = UUID(uuidString: stem).flatMap {
                let isFree = self.core.snapshot.items[id: $0] == nil
                return isFree && adopted.insert($0).inserted ? $0 : nil
            }
            return Photo(
                id: id ?? UUID(), date: orphan.date, name: orphan.fileName,
                fileName: orphan.fileName, byteCount: orphan.byteCount)
        }
    }
}
