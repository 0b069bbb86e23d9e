import FileSystem
import Foundation
import Synchronization

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
        try withWriter(&events) { writer in
            try withIndex(folder.lock(), &writer) { index in
                try other.withWriterIfFree(&otherEvents) { otherWriter in
                    let patience = Duration.milliseconds(.random(in: 1...20))
                    guard let lock = try otherFolder.lock(within: patience) else {
                        throw Busy(error: otherFolder.lockIsTaken)
                    }
                    try other.withIndex(lock, &otherWriter) { try body(index, $0) }
                }
            }
        }
    }

    /// As ``withLock(in:_:)``, but adds what observers are to be told to `events`.
    func withLock<Result>(
        in folder: IndexFolder, _ events: inout [Broadcaster<Item>.Event],
        accepting defect: IndexDefect? = nil, _ body: (LockedIndex<Item>) throws -> Result
    ) throws -> Result {
        try refuseInsideWrite("lock")
        return try store.options.retryingWhileBusy {
            try withWriter(&events) { writer in
                try withIndex(
                    folder.lock(), &writer, accepting: defect, body)
            }
        }
    }
}

extension Core {
    /// Calls `body` while no other thread loads or commits; adds what observers are to be told to
    /// `events`.
    func withWriter<Result>(
        _ events: inout [Broadcaster<Item>.Event], _ body: (inout Writer) throws -> Result
    ) throws -> Result {
        // `Mutex.withLock` returns only values that can be sent, so a variable takes the result.
        var outcome = Swift.Result<Result, any Error>.failure(CancellationError())
        var newEvents: [Broadcaster<Item>.Event] = []
        try waitForWriter { writer in
            outcome = result(of: body, &writer)
            newEvents = takeEvents(of: &writer)
        }
        events += newEvents
        return try outcome.get()
    }

    /// Calls `body` while no other thread loads or commits.
    ///
    /// A thread that has another collection locked waits only until the timeout: the thread that has
    /// this one may wait for that one.
    func waitForWriter(_ body: (inout sending Writer) -> sending Void) throws {
        guard WriteScope.current != nil else { return writer.withLock(body) }
        let deadline = ContinuousClock.now + store.options.patience
        while writer.withLockIfAvailable(body) == nil {
            guard ContinuousClock.now < deadline else { throw isBusy }
            Thread.sleep(forTimeInterval: .random(in: 0...0.002))
        }
    }

    private var isBusy: DirectoryError {
        DirectoryError(
            .locked, "lock", url, "another thread is changing the collection",
            remedy: "Try again.",
            people: .init(operation: "use", reason: "the app is changing it just now"))
    }

    /// As ``withWriter(_:_:)``, but throws ``Busy`` while another thread loads or commits.
    func withWriterIfFree(
        _ events: inout [Broadcaster<Item>.Event], _ body: (inout Writer) throws -> Void
    ) throws {
        var outcome = Swift.Result<Void, any Error>.success(())
        var newEvents: [Broadcaster<Item>.Event] = []
        let isFree: Void? = writer.withLockIfAvailable { writer in
            outcome = result(of: body, &writer)
            newEvents = takeEvents(of: &writer)
        }
        guard isFree != nil else { throw Busy(error: isBusy) }
        events += newEvents
        try outcome.get()
    }

    private func result<Result>(of body: (inout Writer) throws -> Result, _ writer: inout Writer)
        -> Swift.Result<Result, any Error>
    {
        defer { rememberRefused(by: writer) }
        return Swift.Result {
            // Code of the items, such as `init(from:)`, must not wait for this lock.
            try WriteScope.with(ObjectIdentifier(self), isClosure: false) { try body(&writer) }
        }
    }

    /// What observers are to be told since this was last called.
    private func takeEvents(of writer: inout Writer) -> [Broadcaster<Item>.Event] {
        defer { writer.events = [] }
        var events = writer.events
        for part in history.takeEvents() { events.append(.history(part)) }
        return events
    }

    private func rememberRefused(by writer: borrowing Writer) {
        let refused = writer.known.refused?.snapshot
        state.withLock { state in
            if refused != nil || state.refused != nil { state.refused = refused }
        }
    }

    /// Calls `body` with the locked index, after memory and folder are up to date.
    ///
    /// With a defect, `body` is also called with an index that has it.
    func withIndex<Result>(
        _ lock: IndexLock, _ writer: inout Writer, accepting defect: IndexDefect? = nil,
        _ body: (LockedIndex<Item>) throws -> Result
    ) throws -> Result {
        if let failure = writer.known.commitFailure { throw failure }
        if !writer.hasTidied {
            try lock.removeTemporaryFiles()
            if location.isContainerAtPath { try lock.folder.syncIndexesAbove() }
            if store.options.isExcludedFromBackup { try lock.folder.excludeFromBackup() }
            writer.hasTidied = true
        }
        var phaseEvents: [Broadcaster<Item>.Event] = []
        defer { writer.events += phaseEvents }
        return try withUnrefreshedIndex(lock, &writer) { index in
            do {
                try index.refresh()
            } catch _ as DirectoryError
                where defect == .refused && index.known.refused != nil
            {
                // Recovery would need to know what the items own.
                let result = try index.acceptingRefused { try body(index) }
                if index.known.refused == nil { phaseEvents = setPhase { _ in .loaded } }
                return result
            }
            do {
                try Recovery(
                    index: index, live: live, cleanUp: cleanUp,
                    endsOtherMachines: defect == .unrepaired
                ).run()
            } catch let transaction as UnendableTransaction
                where [.unfinished, .unrepaired].contains(defect) && transaction.isMissing
            {}
            // The user's code inside `body` reads the newest state as well.
            publish(index)
            phaseEvents = setPhase { _ in .loaded }
            return try body(index)
        }
    }

    /// Calls `body` with the locked index, not refreshed, and publishes what changed.
    func withUnrefreshedIndex<Result>(
        _ lock: IndexLock, _ writer: inout Writer, _ body: (LockedIndex<Item>) throws -> Result
    ) throws -> Result {
        try refuseIfClosed()
        let index = LockedIndex(lock, coding, writer.known)
        defer {
            publish(index)
            writer.known = index.known
            writer.events += index.published.map { .change($0) }
        }
        return try withExtendedLifetime(index) { try body(index) }
    }

    /// Shows the newest state to readers and streams.
    func publish(_ index: LockedIndex<Item>) {
        publish(index.snapshot, index.takeChanges())
    }
}

/// What keeps an index from being changed, except by the calls that do something about it.
enum IndexDefect {
    /// Too much of it is damaged.
    case refused
    /// A transfer from it was interrupted, and the target is not at its place; or another machine began a
    /// change, and has not ended it.
    case unfinished
    /// The same, if that machine will not go on: recovery ends its changes.
    case unrepaired
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
