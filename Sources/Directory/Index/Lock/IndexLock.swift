import FileSystem

/// The lock of an index, held until the object is released: the right to write its files.
///
/// A class, because everything that works under the lock shares its generation.
final class IndexLock {
    let folder: IndexFolder
    private let file: OpenFileCache.OpenFile
    private let activity: ExpiringActivity
    /// The status of the folder when the lock was taken.
    let folderStatus: FileStatus
    /// Whether the next record needs a new journal (``LockFile/leavesUnsyncedJournal``).
    private(set) var needsNewJournal: Bool
    /// The journal, once it was opened.
    var journal: OpenFileCache.OpenFile?
    /// The generation of the files; odd while a file is being replaced.
    private(set) var generation: Int

    init(
        _ folder: IndexFolder, _ file: OpenFileCache.OpenFile, _ activity: ExpiringActivity,
        folderStatus: FileStatus, generation: Int, needsNewJournal: Bool
    ) {
        self.folder = folder
        self.file = file
        self.activity = activity
        self.folderStatus = folderStatus
        self.generation = generation
        self.needsNewJournal = needsNewJournal
    }

    deinit {
        // A child process that was made meanwhile must not release the lock of its parent, so it only closes the file.
        guard file.isOwn, (try? fileSystem.unlock(file.handle)) != nil else { return }
        folder.store.lockFile.file = file
    }

    /// The status of the lock file now, without its dates.
    var fileStatus: FileStatus { get throws { try fileSystem.undatedStatus(of: file.handle) } }
    var fileSystem: any FileSystem { folder.fileSystem }
    /// The identity of the lock file.
    var identity: FileIdentity { file.identity }
    var names: IndexNames { folder.names }
    var options: DirectoryOptions { folder.options }
}

extension IndexLock {
    /// Calls `body`, which changes files in a way that readers must not see half done.
    ///
    /// Readers take no lock. They see an odd generation while `body` runs, and another one after
    /// it, and then read again.
    func changingGeneration<Result>(_ body: () throws -> Result) throws -> Result {
        try beginChange()
        defer { endChange() }
        return try body()
    }

    /// Makes the generation odd, until ``endChange()``.
    func beginChange() throws {
        try folder.checkThatLockFileHasOneName(file.handle)
        try setGeneration(generation | 1)
    }

    /// Makes the generation even.
    ///
    /// Best effort: readers of an odd generation share the lock, or read twice.
    func endChange() {
        // Anything can be in the lock file, so the addition may overflow.
        try? setGeneration((generation | 1) &+ 1)
    }

    /// Makes the generation even again, after a process died while it replaced a file.
    ///
    /// That process may not have synced the new name, on which later commits build.
    func endUnfinishedGeneration() throws {
        if generation.isMultiple(of: 2) { return }
        try syncIndex()
        try folder.checkThatLockFileHasOneName(file.handle)
        try setGeneration(generation &+ 1)
    }

    /// Syncs the index and its journal; if that fails, the next record needs a new journal.
    func syncIndex() throws {
        do {
            try folder.syncIndex()
        } catch {
            setNeedsNewJournal(true)
            throw error
        }
    }

    /// Sets whether the next record needs a new journal, here and in the lock file, which the next holder reads.
    ///
    /// - Returns: Whether the lock file says it.
    @discardableResult func setNeedsNewJournal(_ needsNew: Bool) -> Bool {
        if !needsNew, !needsNewJournal { return true }
        needsNewJournal = needsNew
        let lines = LockFile.lines(generation, file.process, isUnsynced: needsNew)
        do {
            try folder.checkThatLockFileHasOneName(file.handle)
            try fileSystem.write(lines, to: file.handle, at: 0)
            return true
        } catch {
            return false
        }
    }

    private func setGeneration(_ new: Int) throws {
        try fileSystem.write(LockFile.line(new), to: file.handle, at: 0)
        generation = new
    }
}
