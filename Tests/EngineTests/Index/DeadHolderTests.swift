import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// The first change after that of a process that has died: its last sync may have failed, and then later ones lie.
@Suite struct DeadHolderTests {
    /// Who had the lock last.
    enum Holder: CaseIterable { case dead, unknown, thisProcess }

    @Test(arguments: Holder.allCases)
    func theJournalOfADeadProcessIsWrittenToANewFile(_ holder: Holder) throws {
        let sandbox = try Sandbox()
        let old = try leaveJournal(by: holder, in: sandbox)
        let next = try sandbox.journaledNotes(on: ProcessFileSystem(LocalFileSystem()))
        try next.load()
        #expect(sandbox.status(".notes.journal")?.identity == old)
        try next.append(.salt)
        let new = sandbox.status(".notes.journal")?.identity
        #expect((new == old) == (holder != .dead))
        try next.append(Note(id: 4, title: "Tea"))
        #expect(sandbox.status(".notes.journal")?.identity == new)
        #expect(try sandbox.journaledNotes().loaded().map(\.id) == [1, 2, 3, 4])
        #expect(try next.verify().isEmpty)
    }

    /// A process that only looks at the collection has the lock last, and lives.
    @Test func aProcessThatOnlyLooksDoesNotHideTheDeadOne() throws {
        let sandbox = try Sandbox()
        let old = try leaveJournal(in: sandbox)
        let other = try sandbox.journaledNotes(on: ProcessFileSystem(LocalFileSystem()))
        try other.load()
        let folder = try LocalFileSystem().openFolder(at: sandbox.url.path)
        for _ in 1...2 {
            let lock = try #require(
                try IndexFolder(store: other.core.store, handle: folder).tryLock())
            #expect(lock.needsNewJournal)
            #expect(lock.folder.lockIsTaken.reason.hasPrefix("this process has held the lock"))
        }
        #expect(try saysUnsynced(sandbox))
        let next = try sandbox.journaledNotes(on: ProcessFileSystem(LocalFileSystem()))
        try next.append(.salt)
        #expect(sandbox.status(".notes.journal")?.identity != old)
        #expect(try !saysUnsynced(sandbox))
        #expect(try sandbox.journaledNotes().loaded().map(\.id) == [1, 2, 3])
    }

    /// The record before the replacement of the index is in a new file too, and nothing is said of a journal that is gone.
    @Test func theJournalIsNewBeforeItEndsWithACheckpoint() throws {
        let sandbox = try Sandbox()
        let old = try leaveJournal(in: sandbox)
        let found = Mutex<[FileIdentity?]>([])
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            if call.hasPrefix("rename"), call.hasSuffix("/notes.json") {
                found.withLock { $0.append(sandbox.status(".notes.journal")?.identity) }
            }
            return .works
        }
        let notes = try sandbox.journaledNotes(on: process)
        try notes.checkpoint()
        let journals = found.withLock { $0 }
        #expect(journals.count == 1 && journals.allSatisfy { $0 != nil && $0 != old })
        #expect(try !saysUnsynced(sandbox))
        #expect(!sandbox.exists(".notes.journal"))
    }

    enum FailedSync: CaseIterable {
        case ofTheJournal, ofOthersRecords, ofTheNameOfTheJournal, ofACut
    }

    /// The next process is another one, and the disk works again.
    @Test(arguments: FailedSync.allCases)
    func eachFailedSyncIsSaid(_ failed: FailedSync) throws {
        let sandbox = try Sandbox()
        let isFailing = Atomic(false)
        let parent = sandbox.url.path(percentEncoded: false)
        let journal = sandbox.url(".notes.journal").path
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            guard isFailing.load(ordering: .relaxed) else { return .works }
            let fails =
                failed == .ofTheNameOfTheJournal
                ? call == "sync \(parent)" : call.hasPrefix("sync")
            // The record is cut off again, because it could not be written.
            let isUnwritten = failed == .ofACut && call.hasPrefix("write \(journal)")
            return fails || isUnwritten ? .fails(.ioError) : .works
        }
        let other = try sandbox.journaledNotes(on: ProcessFileSystem(LocalFileSystem()))
        let notes = try sandbox.journaledNotes(on: process)
        try notes.append(.eggs)
        if [.ofTheJournal, .ofACut].contains(failed) { try notes.append(.milk) }
        if failed == .ofOthersRecords { try other.append(.milk) }
        if failed == .ofTheNameOfTheJournal { try notes.checkpoint() }
        isFailing.store(true, ordering: .relaxed)
        #expect(throws: DirectoryError.self) {
            // A write without a change makes what others wrote durable.
            try notes.write { if failed != .ofOthersRecords { try $0.append(.salt) } }
        }
        isFailing.store(false, ordering: .relaxed)
        #expect(try saysUnsynced(sandbox))
        let old = try #require(sandbox.status(".notes.journal")?.identity)
        try other.append(Note(id: 4, title: "Tea"))
        #expect(sandbox.status(".notes.journal")?.identity != old)
        #expect(try !saysUnsynced(sandbox))
    }

    @Test func aLockFileWithASecondNameIsNotWrittenToAfterAFailedSync() throws {
        let sandbox = try Sandbox()
        let isFailing = Atomic(false)
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            isFailing.load(ordering: .relaxed) && call.hasPrefix("sync") ? .fails(.ioError) : .works
        }
        let notes = try sandbox.journaledNotes(on: process)
        try notes.append(.eggs)
        try notes.append(.milk)
        try FileManager.default.linkItem(
            at: sandbox.url(".notes.lock"), to: sandbox.url("backup"))
        let before = try sandbox.text("backup")
        isFailing.store(true, ordering: .relaxed)
        #expect(throws: DirectoryError.self) { try notes.append(.salt) }
        #expect(try sandbox.text("backup") == before)
    }

    /// A small index has no journal.
    @Test func aChangeWithoutAJournalEndsTheDoubt() throws {
        let sandbox = try Sandbox()
        let first = try Directory<Note>(at: sandbox.url, index: "notes.json")
        try first.append(.eggs)
        try first.close()
        try name(.dead, in: sandbox)
        try Directory<Note>(at: sandbox.url, index: "notes.json").append(.milk)
        #expect(!sandbox.exists(".notes.journal"))
        #expect(try !saysUnsynced(sandbox))
    }

    /// It was written by this process.
    @Test func aJournalThatIsNewIsNotWrittenAgain() throws {
        let sandbox = try Sandbox()
        let first = try sandbox.journaledNotes()
        try first.append(.eggs)
        try first.close()
        try name(.dead, in: sandbox)
        let next = try sandbox.journaledNotes()
        try next.append(.milk)
        let journal = try #require(sandbox.status(".notes.journal")?.identity)
        try next.append(.salt)
        #expect(sandbox.status(".notes.journal")?.identity == journal)
    }

    /// Whether the second line of the lock file, whose later bytes mean nothing, says that the journal must be new.
    private func saysUnsynced(_ sandbox: Sandbox) throws -> Bool {
        try sandbox.text(".notes.lock").split(separator: "\n")[1].hasSuffix(" unsynced")
    }

    /// Leaves the journal of a process that was killed, and returns its identity; `holder` had the lock last.
    private func leaveJournal(by holder: Holder = .dead, in sandbox: Sandbox) throws -> FileIdentity
    {
        let process = ProcessFileSystem(LocalFileSystem())
        let first = try sandbox.journaledNotes(on: process)
        try first.append(.eggs)
        try first.append(.milk)
        withExtendedLifetime(first) { process.kill() }
        try name(holder, in: sandbox)
        return try #require(sandbox.status(".notes.journal")?.identity)
    }

    /// Writes into the lock file who had the lock last.
    private func name(_ holder: Holder, in sandbox: Sandbox) throws {
        let text = try sandbox.text(".notes.lock")
        switch holder {
        case .dead: try sandbox.write(namingDeadHolder(inLockFile: text), to: ".notes.lock")
        case .unknown:
            try sandbox.write(
                "\(text.prefix { $0 != "\n" })\nprocess 1 (other)\n", to: ".notes.lock")
        case .thisProcess: break
        }
    }
}
