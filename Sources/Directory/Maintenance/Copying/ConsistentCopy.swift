import FileSystem
import Foundation

/// Copies a collection, with the folders and files of its items, as of one moment, while others change it.
///
/// Each folder is first copied without locks, then again with the locks of its indexes held, when only the changes
/// since then are left to copy. At that time its indexes get marks, which show later commits. In the end all folders
/// are compared with their marks. If none has changed, the copy shows the moment before the comparison.
///
/// Folders that have changed are copied again in all further rounds, with the locks of all of them held at once: the
/// copy then shows the last moment under these locks. So writers never wait for the copying of files that existed
/// before, and a lock is never waited for long while others are held.
struct ConsistentCopy {
    let reader: FolderReader
    let copier: FileCopier
    let top: FolderPair
    /// The copy that was made before in the same place, if there is one.
    let earlier: EarlierCopy?
    /// Throws if the folder of the collection was removed.
    let checkThatOriginalExists: () throws -> Void

    var fileSystem: any FileSystem { reader.store.fileSystem }
}

/// A folder of the original and its copy, both open.
struct FolderPair {
    let record: CopiedFolder
    let original: Handle
    let copy: Handle
    /// The collection that is copied, if this is its folder.
    var collection: CopiedCollection?
}

extension ConsistentCopy {
    /// Makes the copy.
    ///
    /// - Throws: ``DirectoryError`` with `locked` if no moment was found before the timeout; the errors of the steps of
    ///   the copier, such as `CancellationError`.
    func run() throws {
        try catchUp(top)
        try reader.store.options.retryingWhileBusy {
            try catchUp(top)
            var locks: [FolderLocks] = []
            try settle(top, &locks)
            // The copy shows this moment, if nothing has changed before.
            locks = []
            guard try isCurrent(top.record, top.original, top.collection) else { throw isBusy }
            try checkThatOriginalExists()
        }
        // No lock is held any more, and nobody else sees the copy.
        try writeJournalsIntoIndexes(top.record, top.copy)
    }

    /// Copies new and changing folders without waiting for locks.
    private func catchUp(_ pair: FolderPair) throws {
        let record = pair.record
        if case .steady = record.state {
            for (path, inner) in record.subfolders where inner.isUnsettled {
                try enter(path, of: pair).map(catchUp)
            }
            return
        }
        if record.needsRecovery { try recover(pair) }
        var contents = try reader.contents(of: pair.original, pair.collection)
        try copyFiles(of: contents, pair)
        if case .new = record.state {
            record.state = .changing
            do {
                if let locks = try tryLock(pair) { contents = try copyLocked(pair, locks) }
            } catch is Busy {
                // It is copied again with all other changing folders.
            }
        }
        for path in contents.subfolders { try enter(path, of: pair).map(catchUp) }
    }

    /// Copies the folders that change, with the locks of all their indexes held.
    private func settle(_ pair: FolderPair, _ locks: inout [FolderLocks]) throws {
        let record = pair.record
        if case .steady = record.state {
            for (path, inner) in record.subfolders where inner.isUnsettled {
                let inner = try enter(path, of: pair)
                guard let inner, case .steady = record.state else { throw isBusy }
                try settle(inner, &locks)
            }
            return
        }
        // While it holds a lock, others wait for it.
        let taken = try lock(pair, within: locks.isEmpty ? .milliseconds(500) : .milliseconds(50))
        locks.append(taken)
        let contents = try copyLocked(pair, taken)
        record.state = .changing
        // If a settled folder was replaced by another one, the comparison notices that.
        for path in contents.subfolders where record.subfolders[path]?.isUnsettled != false {
            if let inner = try enter(path, of: pair) { try settle(inner, &locks) }
        }
    }

    /// Whether no folder has changed since it got its marks; each one that has changed is set to `changing`.
    private func isCurrent(
        _ record: CopiedFolder, _ original: Handle, _ collection: CopiedCollection? = nil
    ) throws -> Bool {
        var hasChanged = false
        if case .steady(let marks) = record.state {
            let names = try reader.indexNames(in: original, collection)
            hasChanged =
                try names.count != marks.count
                || names.contains { names in
                    guard let mark = marks[names.index] else { return true }
                    return try !reader.index(names, in: original).isUnchanged(since: mark)
                }
        }
        // All folders are checked, so that all changes are found at once.
        var isCurrent = true
        for (path, inner) in record.subfolders {
            let folder = try fileSystem.openFolder(path, in: original)
            if let folder, try fileSystem.status(of: folder).identity == inner.identity {
                isCurrent = try self.isCurrent(inner, folder) && isCurrent
            } else {
                hasChanged = true
            }
        }
        if hasChanged { record.state = .changing }
        return isCurrent && !hasChanged
    }

    private var isBusy: Busy {
        Busy(
            error: DirectoryError(
                .locked, "copy", top.original.url, "it is changed all the time by others",
                remedy: "Try again when it is changed less often.",
                people: .init(reason: "it is changed all the time by others")))
    }
}

extension ConsistentCopy {
    private func lockFiles(of pair: FolderPair) throws -> [FileName] {
        try reader.indexNames(in: pair.original, pair.collection).map(\.lock)
    }

    /// Locks the indexes in the folder; nil if one of them is locked by others.
    private func tryLock(_ pair: FolderPair) throws -> FolderLocks? {
        try FolderLocks(of: lockFiles(of: pair), in: pair.original, on: fileSystem, .init())
    }

    /// Locks the indexes in the folder.
    ///
    /// It tries often, because a lock that many wait for is free for microseconds only.
    ///
    /// - Throws: ``Busy``.
    private func lock(_ pair: FolderPair, within patience: Duration) throws -> FolderLocks {
        let lockFiles = try lockFiles(of: pair)
        let activity = ExpiringActivity()
        let patience = min(patience, reader.store.options.lockTimeout)
        let deadline = ContinuousClock.now + patience
        while true {
            if let locks = try FolderLocks(
                of: lockFiles, in: pair.original, on: fileSystem, activity)
            {
                return locks
            }
            guard ContinuousClock.now < deadline else { throw isBusy }
            Thread.sleep(forTimeInterval: .random(in: 0...0.0001))
        }
    }

    /// The versions of the indexes in the folder.
    private func versions(of pair: FolderPair) throws -> [FileName: IndexVersion] {
        let names = try reader.indexNames(in: pair.original, pair.collection)
        return try names.reduce(into: [:]) { versions, names in
            versions[names.index] = try reader.index(names, in: pair.original).filesVersion()
        }
    }

    /// Copies the changes of a folder whose indexes are locked, and gives the folder its marks.
    ///
    /// - Throws: ``Busy`` if a dead process left a write to several collections, or if others locked a new index or changed
    ///   one without a lock meanwhile.
    private func copyLocked(_ pair: FolderPair, _ locks: FolderLocks) throws -> FolderContents {
        try withExtendedLifetime(locks) {
            let versions = try versions(of: pair)
            let contents = try reader.contents(of: pair.original, pair.collection)
            guard contents.jointWrites.isSubset(of: pair.record.stuckJointWrites) else {
                pair.record.needsRecovery = true
                throw isBusy
            }
            try copyFiles(of: contents, pair)
            try removeJournals(pair)
            var marks: [FileName: IndexMark] = [:]
            for index in contents.indexes {
                // Somebody who locks nothing may have made or replaced it since the folder was listed.
                guard let version = versions[index.names.index] else { throw isBusy }
                let mark = IndexMark(
                    version: version, journalEnd: try copyJournal(of: index, pair))
                guard try index.isUnchanged(since: mark) else { throw isBusy }
                marks[index.names.index] = mark
            }
            let present = try lockFiles(of: pair).filter { name in
                try fileSystem.status(of: name, in: pair.original) != nil
            }
            // An index without a lock file may be a file of the app.
            pair.record.indexes = Set(
                contents.indexes.filter { present.contains($0.names.lock) }.map(\.names.index))
            guard locks.include(present) else { throw isBusy }
            pair.record.state = .steady(marks)
            return contents
        }
    }

    /// Ends the work of processes that died while they changed several collections.
    private func recover(_ pair: FolderPair) throws {
        let contents = try reader.contents(of: pair.original, pair.collection)
        if !contents.jointWrites.isEmpty {
            do {
                try reader.store.endJointWrites(in: pair.original)
            } catch is Busy {
                return
            } catch is UnendableTransaction {
            } catch let error as FileSystemError where error.isWriteRefusal {}
        }
        // Writes that cannot be ended, here or now, stay, in the copy too.
        pair.record.stuckJointWrites = try reader.contents(of: pair.original, pair.collection)
            .jointWrites
        pair.record.needsRecovery = false
    }
}
