import FileSystem
import Foundation

extension Core {
    /// Calls `body` with the index locked, refreshed and recovered.
    ///
    /// What changed is published: the refreshed items before `body`, and its own changes after it.
    /// Observers are told when the lock is released.
    func withLock<Result>(
        in folder: IndexFolder, accepting defect: IndexDefect? = nil,
        _ body: (LockedIndex<Item>) throws -> Result
    ) throws -> Result {
        var events: [Broadcaster<Item>.Event] = []
        defer { broadcaster.notifyObservers(of: events) }
        return try withLock(in: folder, &events, accepting: defect, body)
    }

    /// As ``withLock(in:accepting:_:)``, but adds what observers are to be told to `events`.
    func withLock<Result>(
        in folder: IndexFolder, _ events: inout [Broadcaster<Item>.Event],
        accepting defect: IndexDefect? = nil, _ body: (LockedIndex<Item>) throws -> Result
    ) throws -> Result {
        try refuseInsideWrite("lock")
        return try store.options.retryingWhileBusy {
            try withWriter(&events) { locked in
                try body(locked.lockIndex(folder.lock(), accepting: defect))
            }
        }
    }

    /// Calls `body` with both indexes locked, refreshed and recovered.
    ///
    /// Observers are told when both locks are released.
    ///
    /// - Throws: ``Busy`` if the second lock is not free soon: whoever has it may wait for the first
    ///   one, which is released then.
    func withLock(
        in folder: IndexFolder, and other: Core<Item>, in otherFolder: IndexFolder,
        _ body: (LockedIndex<Item>, LockedIndex<Item>) throws -> Void
    ) throws {
        var events: [Broadcaster<Item>.Event] = []
        var otherEvents: [Broadcaster<Item>.Event] = []
        defer {
            other.broadcaster.notifyObservers(of: otherEvents)
            broadcaster.notifyObservers(of: events)
        }
        let here = try fileSystem.status(of: folder.handle).identity
        let there = try other.fileSystem.status(of: otherFolder.handle).identity
        guard here.device == there.device else {
            throw DirectoryError(
                .crossVolume, "transfer items from", url,
                "the other collection is on another volume",
                people: .init(operation: "move items from"))
        }
        try withWriter(&events) { locked in
            let index = try locked.lockIndex(folder.lock())
            try other.withWriter(&otherEvents, ifFree: true) { otherLocked in
                let patience = Duration.milliseconds(.random(in: 1...20))
                guard let lock = try otherFolder.lock(within: patience) else {
                    throw Busy(error: otherFolder.lockIsTaken)
                }
                try body(index, otherLocked.lockIndex(lock))
            }
        }
    }

    /// Calls `body` while no other thread loads or commits; adds what observers are to be told to
    /// `events`.
    ///
    /// - Throws: ``Busy`` if another thread does and `isFree` is asked for.
    func withWriter<Result>(
        _ events: inout [Broadcaster<Item>.Event], ifFree isFree: Bool = false,
        _ body: (LockedCore<Item>) throws -> Result
    ) throws -> Result {
        let locked: LockedCore<Item>
        do {
            locked = try LockedCore(self, within: isFree ? .zero : nil)
        } catch let error as DirectoryError where isFree {
            throw Busy(error: error)
        }
        defer { events += locked.release() }
        // Code of the items, such as `init(from:)`, must not wait for this lock.
        return try WriteScope.with(ObjectIdentifier(self), isClosure: false) {
            defer { locked.unlockIndex() }
            return try body(locked)
        }
    }

    /// Shows the newest state to readers and streams.
    func publish(_ index: LockedIndex<Item>) {
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
    /// Throws on the thread that holds the locks of this core.
    func refuseInsideWrite(_ operation: String) throws {
        if WriteScope.current?.belongs(to: ObjectIdentifier(self)) == true {
            throw nestedWrite(operation)
        }
    }

    /// Throws on the thread that runs the closure of a change of any core.
    func refuseInsideAnyWrite(_ operation: String) throws {
        if WriteScope.current?.isInClosure == true { throw nestedWrite(operation) }
    }

    private func nestedWrite(_ operation: String) -> DirectoryError {
        DirectoryError(
            .nestedWrite, operation, url, "it was called by code inside another change or a load",
            people: .init(reason: "the app has not finished what it was doing with it"))
    }
}
