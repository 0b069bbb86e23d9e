import FileSystem
import Foundation

extension Core {
    /// Copies the collection to a new folder at `url`.
    func copy(to url: URL, _ progress: Progress?) throws {
        let source = try openFolder(making: false)
        let owned = owned(in: source)
        let destination = try CopyDestination(url, of: source, owned: owned(), store)
        try destination.make { [self] copy in
            guard let source else {
                try cancellationCheck(progress, "copy")()
                return try copyNothing(to: copy)
            }
            try copyContents(of: source, to: copy, owned, earlier: destination.earlier, progress)
        }
        progress.map(complete)
    }

    /// Makes the copy of a collection without a folder: an index without items.
    private func copyNothing(to copy: Handle) throws {
        let index = store.names.index
        let copier = FileCopier(on: fileSystem, store.options) { _ in }
        try copier.write(
            IndexStore.emptyIndex, to: index, in: copy, mode: store.options.filePermissions)
        try fileSystem.sync([[]: [index]], below: copy) {}
        try copier.writeManifest(
            CopyManifest(
                of: copy, begun: Date(), nil, [[]: [index: CopiedFile?.none]], [[]: [index]],
                on: fileSystem), store.names.copyManifest, in: copy)
    }

    /// Returns a function that decides which names the items own, according to the index on disk,
    /// which can be newer than the writer's.
    func owned(in source: IndexFolder?) -> () throws -> (FileName) -> Bool {
        var known = known
        return { [self] in
            try WriteScope.with(ObjectIdentifier(self)) {
                _ = try known.refresh(from: source, reader)
            }
            let snapshot = known.snapshot
            let names = snapshot.names.value.folders
            // A damaged element may be an item for a newer version of the app, and own any folder.
            let mayOwnAny = reader.ownsFolders && !snapshot.areAllOwnersKnown
            // If the index was edited, an item can have the name of another index's assets folder.
            let others = try source?.otherStems ?? []
            return { name in
                (mayOwnAny || names.owner(of: name) != nil) && !others.contains(name.folded)
            }
        }
    }

    /// Copies the collection in `source` into the folder `copy`, and puts the copy on stable storage, unless it is
    /// transient: then it is only read, and removed soon.
    ///
    /// `check` throws to end the copying; nil for a check of `progress`.
    func copyContents(
        of source: IndexFolder, to copy: Handle, _ owned: @escaping () throws -> (FileName) -> Bool,
        earlier: EarlierCopy? = nil, isTransient: Bool = false,
        check: (@Sendable () throws -> Void)? = nil, _ progress: Progress?
    ) throws {
        try checkJournals()
        let check = check ?? cancellationCheck(progress, "copy")
        let reader = FolderReader(store: store)
        let collection = CopiedCollection(names: store.names, owned: owned)
        let top = FolderPair(
            record: CopiedFolder(try fileSystem.status(of: source.handle).identity),
            original: source.handle, copy: copy, collection: collection)
        try progress.map {
            begin($0, try reader.byteCount(of: source.handle, collection))
        }
        let copier = FileCopier(on: fileSystem, store.options, isTransient: isTransient) { count in
            try check()
            progress.map { self.report(count, to: $0) }
        }
        let copying = ConsistentCopy(
            reader: reader, copier: copier, top: top, earlier: earlier,
            checkThatOriginalExists: { _ = try self.openFolder(making: false) })
        let begun = Date()
        try copying.run()
        if !isTransient { try copying.finish(begun: begun, after: check) }
        try check()
    }

    /// Throws if `progress` or the task is cancelled, or if the system is about to suspend the app: then the lock of
    /// the hidden folder must be released.
    func cancellationCheck(_ progress: Progress?, _ operation: String)
        -> @Sendable () throws -> Void
    {
        { [url, activity = ExpiringActivity()] in
            if activity.isOver {
                throw DirectoryError(
                    .suspended, operation, url, "the system gives the app no time now")
            }
            if progress?.isCancelled == true || Task.isCancelled { throw CancellationError() }
        }
    }

    /// Begins to count `byteCount` bytes.
    func begin(_ progress: Progress, _ byteCount: Int) {
        progress.completedUnitCount = 0
        // Foundation for Linux traps if a total becomes 0.
        progress.totalUnitCount = Int64(max(1, byteCount))
    }

    func complete(_ progress: Progress) {
        insideWrite {
            progress.completedUnitCount = max(1, progress.completedUnitCount)
            progress.totalUnitCount = progress.completedUnitCount
        }
    }

    /// Adds `count` to the completed bytes; the total grows if more is copied than there was at the
    /// beginning.
    func report(_ count: Int, to progress: Progress) {
        // Observers of the progress are code of the user, which may run while locks are held.
        insideWrite {
            let done = progress.completedUnitCount + Int64(count)
            if done > progress.totalUnitCount { progress.totalUnitCount = done }
            if count > 0 { progress.completedUnitCount = done }
        }
    }
}
