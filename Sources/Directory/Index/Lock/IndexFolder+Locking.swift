import FileSystem
import Foundation

extension IndexFolder {
    /// The status of this folder, if it is still where it was found; asked for when the lock is held.
    typealias InPlace = () throws -> FileStatus

    /// Takes the lock, and waits for it if necessary.
    ///
    /// - Throws: ``DirectoryError`` with `locked` after the timeout of the options, `suspended` if the system
    ///   grants no time; the errors of `statusInPlace`.
    func lock(inPlace statusInPlace: InPlace? = nil) throws -> IndexLock {
        guard let lock = try lock(within: options.patience, inPlace: statusInPlace) else {
            throw lockIsTaken
        }
        return lock
    }

    /// Takes the lock; nil if it is not free before `timeout`.
    func lock(within timeout: Duration, inPlace statusInPlace: InPlace? = nil) throws -> IndexLock?
    {
        let deadline = ContinuousClock.now + timeout
        var activity = ExpiringActivity()
        var longestPause = 0.0002
        // The last try is after the deadline: a process that was stopped sees the present state.
        while ContinuousClock.now < deadline {
            if let lock = try tryLock(activity, inPlace: statusInPlace) { return lock }
            Thread.sleep(forTimeInterval: .random(in: 0...longestPause))
            longestPause = min(longestPause * 2, 0.01)
            // An activity that the system has ended, as it does before a suspension, stays ended.
            if activity.isOver {
                Thread.sleep(forTimeInterval: 0.1)
                activity = ExpiringActivity()
            }
        }
        if activity.isOver {
            throw DirectoryError(
                .suspended, "lock", indexURL, "the system gives the app no time now",
                people: .init(usual: .suspended, operation: "use"))
        }
        return try tryLock(activity, inPlace: statusInPlace)
    }

    /// Takes the lock; nil while another process or handle has it, or if the system grants no time
    /// for `activity`.
    func tryLock(
        _ activity: ExpiringActivity = .init(), inPlace statusInPlace: InPlace? = nil
    ) throws -> IndexLock? {
        if activity.isOver { return nil }
        let kept = store.lockFile.take().flatMap { $0.isOwn ? $0 : nil }
        var open = try kept ?? openToLock()
        let file = open.handle
        guard try fileSystem.tryLock(file) else {
            store.lockFile.file = open
            return nil
        }
        let folderStatus = try statusInPlace?() ?? fileSystem.status(of: handle)
        // While the folder is as it was, the name of the lock file leads to this one.
        if open.folder != folderStatus {
            // If it was replaced, other processes lock the new one, and this lock protects nothing.
            guard let found = try open.found(as: names.lock, in: self, of: folderStatus) else {
                return kept == nil ? nil : try tryLock(activity, inPlace: statusInPlace)
            }
            open = found.file
            if found.status.size == 0 {
                try protect(file, mode: options.filePermissions)
                store.onlyLockFile = nil
                if !store.isUnseen {
                    try markOtherLockFiles()
                    try fileSystem.syncIntoParent(handle)
                }
            }
        }
        let holder = LockFile.holder(of: open.process)
        let (generation, needsNewJournal) =
            try LockFile.generation(of: file, on: fileSystem, ifHeldBy: holder).map { ($0, false) }
            ?? takeOver(file, for: open.process)
        return IndexLock(
            self, open, activity, folderStatus: folderStatus, generation: generation,
            needsNewJournal: needsNewJournal)
    }

    /// Writes into the lock file that `process` has the lock, which it did not have last.
    ///
    /// - Returns: The generation, and whether the next record needs a new journal.
    private func takeOver(_ file: Handle, for process: Int32) throws -> (Int, Bool) {
        try checkThatLockFileHasOneName(file)
        let found = try LockFile(file, on: fileSystem, holderLength: 512)
        let needsNewJournal = found.leavesUnsyncedJournal
        // This call may add no record, and another process may have the lock next.
        let lines = LockFile.lines(found.generation, process, isUnsynced: needsNewJournal)
        try fileSystem.write(lines, to: file, at: 0)
        return (found.generation, needsNewJournal)
    }

    /// Throws if the open lock file has a second name: a backup made of hard links must not change with the original.
    func checkThatLockFileHasOneName(_ file: Handle) throws {
        if try fileSystem.undatedStatus(of: file).linkCount <= 1 { return }
        throw DirectoryError(
            .ioFailure, "lock", handle.url(of: names.lock),
            "the file has a second name (a hard link), so it is not written to",
            remedy: "Make a copy of the folder that has no hard links, and use that.",
            people: .init(
                operation: "use", name: names.index.string,
                reason: "a hidden file beside it has a second name (a hard link)"))
    }

    private func openToLock() throws -> OpenFileCache.OpenFile {
        let access = FileAccess.openOrCreate(mode: options.filePermissions)
        let file = try fileSystem.openFile(names.lock, in: handle, for: access)
        return .init(handle: file, identity: try fileSystem.status(of: file).identity)
    }

    /// The lock file, open to read the generation; nil if nothing was ever locked.
    func openLockFile() throws -> Handle? {
        try fileSystem.openFileIfPresent(names.lock, in: handle, for: .read)
    }

    /// The generation in an open lock file, 0 if there is none.
    func generation(in lockFile: Handle?) throws -> Int {
        try lockFile.map { try LockFile($0, on: fileSystem, holderLength: 0).generation } ?? 0
    }

    /// The error of a lock that was not free before the deadline.
    var lockIsTaken: DirectoryError {
        // Best effort: the name of the process only helps to understand the message.
        let found = try? openLockFile().map { try LockFile($0, on: fileSystem, holderLength: 512) }
        let holder = found?.holderDescription ?? "another process"
        return DirectoryError(
            .locked, "lock", handle.url(of: names.lock),
            "\(holder) has held the lock for \(options.patience)",
            people: .init(
                operation: "use", name: names.index.string,
                reason: "another program has been using it for \(options.patience)"))
    }
}
