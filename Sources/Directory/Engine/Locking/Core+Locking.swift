import FileSystem
import Foundation

extension Core {
    /// Finds the folder of the index, and calls `body` with the index locked, refreshed and recovered.
    ///
    /// The folder is still in its place when the lock is taken. Changes are published: those that the refresh read
    /// before `body`, and those of `body` after it. Observers are told at the end of `call`.
    ///
    /// - Returns: The result of `body`; nil if the folder does not exist yet and is not to be made.
    func withLock<Result>(
        making: Bool = false, accepting defect: IndexDefect? = nil, in call: Call? = nil,
        _ body: (LockedIndex) throws -> Result
    ) throws -> Result? {
        try refuseInsideWrite("lock")
        return try Call.with(call) { call in
            try store.options.retryingWhileBusy {
                guard let folder = try folderToLock(making: making) else { return nil }
                return try withWriter(in: call) { locked in
                    try body(locked.lockIndex(lock(folder), accepting: defect))
                }
            }
        }
    }

    /// Locks the index in `folder`, which ``folderToLock(making:)`` has found.
    ///
    /// - Throws: ``Busy`` if the folder was removed or moved before the lock was taken. For a folder that was just
    ///   opened, as those of containers are, ``noticingRemoval(_:)`` says that it was removed.
    func lock(_ folder: IndexFolder) throws -> IndexLock {
        do {
            return try folder.lock(inPlace: statusInPlace)
        } catch let error as FileSystemError
            where error.code == .noSuchFile && store.folder.file != nil
        {
            // The open folder was deleted.
            throw folderHasMoved()
        }
    }

    /// Calls `body` while no other thread loads or commits, as a part of `call`.
    ///
    /// - Throws: ``Busy`` if `ifFree` is true and another thread loads or commits.
    func withWriter<Result>(
        ifFree isFree: Bool = false, in call: Call? = nil, _ body: (LockedCore) throws -> Result
    ) throws -> Result {
        try Call.with(call) { call in
            let locked: LockedCore
            do {
                locked = try LockedCore(self, within: isFree ? .zero : nil)
            } catch let error as DirectoryError where isFree {
                throw Busy(error: error)
            }
            defer { call.add(locked.release(), of: self) }
            // Code of an item, such as `init(from:)`, must not wait for this lock.
            return try WriteScope.with(ObjectIdentifier(self)) {
                defer { locked.unlockIndex() }
                return try body(locked)
            }
        }
    }

    /// Shows the newest state to readers and streams.
    func publish(_ index: LockedIndex) {
        publish(index.snapshot, index.takeChanges())
    }

    var isBusy: DirectoryError {
        DirectoryError(
            .locked, "lock", url, "another thread is changing the collection",
            remedy: "Try again.",
            people: .init(operation: "use", reason: "the app is changing it just now"))
    }
}

extension Core {
    /// Throws if this thread holds the locks of this core.
    func refuseInsideWrite(_ operation: String) throws {
        if isLockedHere { throw nestedWrite(operation) }
    }

    /// Whether this thread holds the locks of this core.
    var isLockedHere: Bool { WriteScope.current?.belongs(to: ObjectIdentifier(self)) == true }

    /// Throws if this thread runs the closure of a change of any core.
    func refuseInsideAnyWrite(_ operation: String) throws {
        if WriteScope.current?.isInClosure == true { throw nestedWrite(operation) }
    }

    private func nestedWrite(_ operation: String) -> DirectoryError {
        DirectoryError(
            .nestedWrite, operation, url, "it was called by code inside another change or a load",
            people: .init(operation: operation == "lock" ? "use" : nil))
    }
}
