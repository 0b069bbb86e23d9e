import FileSystem
import Foundation

extension IndexFolder {
    /// Tells whether a change whose files were last changed at `date` cannot go on.
    ///
    /// A process that takes the lock ends all unfinished changes. So only the last holder of the lock can be in the
    /// middle of a change. If it is not known whether that process lives, a change without activity for a day counts as
    /// abandoned.
    ///
    /// - Parameters:
    ///   - date: When the files of the change were last changed.
    ///   - thisProcessIsDone: Whether it is known that this process does not make the change.
    /// - Returns: Whether the process that made the change has ended, as far as can be told.
    /// - Throws: `FileSystemError`.
    func isAbandoned(since date: Date, thisProcessIsDone: Bool = true) throws -> Bool {
        // A process makes the lock file before it changes anything.
        guard try fileSystem.status(of: names.lock, in: handle)?.kind == .file,
            let file = try openLockFile()
        else { return true }
        guard let holder = try LockFile(file, on: fileSystem, holderLength: 256).holderProcess
        else { return StageOwner.State.unknown.isOver(lastChange: date) }
        if holder == ProcessInfo.processInfo.processIdentifier, thisProcessIsDone { return true }
        // Another process can have got the number of one that has ended.
        let isDead = kill(holder, 0) != 0 && errno == ESRCH
        let state: StageOwner.State = isDead ? .dead : .unknown
        return state.isOver(lastChange: date)
    }
}
