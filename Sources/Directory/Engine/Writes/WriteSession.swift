import FileSystem
import Foundation

/// The collections that one write has locked because its closure reached into containers.
///
/// A write never waits long for a lock, because the thread that has it may be waiting for a lock of this write. If a
/// lock is taken, the write releases all its locks, and its closure runs again. If several changes share the write, the
/// one that meets a taken lock leaves the group instead (`CommitGroup`).
final class WriteSession {
    /// The files of the stage that the write imports.
    let assets: [StagedAsset]
    /// Why the closure has to run again, even if it catches that error.
    private(set) var busy: Busy?
    /// The steps of the undo history, if each of several changes has its own.
    var steps: [UndoStep]?
    /// The collection that the write was called on; nil before its draft is made, and after ``end()``.
    private var home: CollectionWrite?
    /// The other collections that are locked.
    private var found: [ObjectIdentifier: CollectionWrite] = [:]
    /// The collections that were in use, which are not waited for again.
    private var inUse: [ObjectIdentifier: Busy] = [:]
    /// In the order in which they were locked.
    private var locked: [LockedCore] = []
    private let call: Call
    private var isOver = false

    /// Creates the session of a write in `call`.
    init(_ request: CommitRequest, in call: Call) {
        self.call = call
        assets = request.importing?.assets ?? []
    }
}

extension WriteSession {
    /// How many collections are locked, with the one that the write was called on.
    var collectionCount: Int { locked.count + 1 }

    /// The files by which the write has locked collections.
    var lockFiles: Set<FileIdentity> {
        let writes = [home].compactMap(\.self) + found.values
        return Set(writes.compactMap { $0.place?.index.lock.identity })
    }

    /// Begins the change of the collection that the write was called on, whose `index` is locked.
    func beginHome(_ core: Core, _ index: LockedIndex) -> CollectionWrite {
        let write = CollectionWrite(session: self, place: (core, index))
        home = write
        return write
    }

    /// Forgets that the closure has to run again, and returns whether it had to.
    func takeBusy() -> Bool {
        defer { busy = nil }
        return busy != nil
    }

    /// Locks the index of `core`, which is in `folder`, until the end of the write.
    ///
    /// - Throws: ``DirectoryError`` with `locked` if another thread or process uses it; then
    ///   ``busy`` is set.
    func lock(_ core: Core, in folder: IndexFolder) throws -> CollectionWrite {
        try checkThatItLasts(core.url)
        if let known = found[ObjectIdentifier(core)] { return known }
        if let known = inUse[ObjectIdentifier(core)] {
            busy = known
            throw known.error
        }
        do {
            let patience = Duration.milliseconds(.random(in: 5...20))
            let locked = try LockedCore(core, within: patience)
            // Code of an item must not wait for this lock.
            WriteScope.current?.add(ObjectIdentifier(core))
            do {
                guard
                    let lock = try folder.lock(within: patience, inPlace: core.statusInPlace)
                else {
                    throw Busy(error: folder.lockIsTaken)
                }
                let write = CollectionWrite(
                    session: self, place: (core, try locked.lockIndex(lock)))
                found[ObjectIdentifier(core)] = write
                self.locked.append(locked)
                return write
            } catch {
                release(locked)
                throw error
            }
        } catch let error as Busy {
            (busy, inUse[ObjectIdentifier(core)]) = (error, error)
            throw error.error
        } catch let error as DirectoryError where error.code == .locked {
            (busy, inUse[ObjectIdentifier(core)]) = (Busy(error: error), Busy(error: error))
            throw error
        }
    }

    /// Releases all locks; the observers of each collection are told at the end of the call.
    func end() {
        isOver = true
        // A draft can outlive the write, but not the lock.
        home?.place = nil
        home = nil
        if locked.isEmpty { return }
        for write in found.values { write.place = nil }
        for core in locked.reversed() { release(core) }
        (found, locked) = ([:], [])
    }

    private func release(_ locked: LockedCore) {
        locked.unlockIndex()
        // The collection stays open until nothing is locked any more.
        call.add(locked.release(), of: locked.core, keepingOpen: true)
    }

    /// Throws if the closure of the write has ended.
    func checkThatItLasts(_ index: @autoclosure () -> URL) throws {
        guard isOver else { return }
        throw DirectoryError(
            .nestedWrite, "change", index(), "the write that made the draft has ended",
            people: .init(reason: "the app used a change that was over"))
    }
}

/// A collection that a write changes: an existing one, or one in a container that the write adds.
final class CollectionWrite {
    let session: WriteSession
    /// The collection, whose lock is held; nil if the write adds its container.
    fileprivate(set) var place: (core: Core, index: LockedIndex)?

    init(session: WriteSession, place: (core: Core, index: LockedIndex)?) {
        (self.session, self.place) = (session, place)
    }
}
