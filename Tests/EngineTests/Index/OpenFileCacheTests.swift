import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Journals and lock files that stay open between commits.
struct OpenFileCacheTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// The folder of `notes`, whose files no commits of other tests can close.
    private func index(of notes: Directory<Note>, on process: ProcessFileSystem) throws
        -> IndexFolder
    {
        let store = IndexStore(
            fileSystem: process, names: notes.core.store.names, options: notes.core.store.options,
            openFiles: .init(capacity: 2))
        return IndexFolder(store: store, handle: try process.openFolder(at: sandbox.url.path))
    }

    @Test func journalAndLockFileStayOpenBetweenCommits() throws {
        let process = ProcessFileSystem(LocalFileSystem())
        let notes = try sandbox.journaledNotes(on: process)
        try notes.append(Note(0))
        let index = try index(of: notes, on: process)
        var known = KnownIndex()
        _ = try known.refresh(from: index, notes.coding)
        known.isDurable = true
        var before = 0
        for id in 1..<5 {
            // The first of these commits makes a journal, and the second opens it.
            if id == 3 { before = process.calls }
            let locked = LockedIndex(try index.lock(), notes.coding, known)
            var draft = locked.draft
            try draft.append([notes.coding.element(of: Note(id))])
            let request = CommitRequest(durability: .durable, operation: "append")
            var commit = Commit(home: locked.folder, number: nil)
            _ = try commit.add(draft, to: locked, request, .init(), at: .home)
            try commit.run()
            known = locked.known
        }
        let calls = process.log[before...]
        #expect(calls.count { $0.hasPrefix("lock ") } == 2)
        #expect(!calls.contains { $0.hasPrefix("open ") })
        #expect(try sandbox.journaledNotes().loaded().map(\.id) == [0, 1, 2, 3, 4])
    }

    /// A child process would share the lock of its parent.
    @Test func lockFileThatAnotherProcessOpenedIsNotUsed() throws {
        let process = ProcessFileSystem(LocalFileSystem())
        let index = try index(of: sandbox.journaledNotes(on: process), on: process)
        do { _ = try index.lock() }
        let kept = try #require(index.store.lockFile.take())
        index.store.lockFile.file = .init(
            handle: kept.handle, identity: kept.identity, process: getpid() + 1)
        let lock = try index.lock()
        #expect(try !process.tryLock(kept.handle))
        withExtendedLifetime(lock) {}
    }

    /// A child process has a copy of the lock that its parent holds.
    @Test func lockOfAnotherProcessIsNotReleased() throws {
        let process = ProcessFileSystem(LocalFileSystem())
        let index = try index(of: sandbox.journaledNotes(on: process), on: process)
        do { _ = try index.lock() }
        let parent = try #require(index.store.lockFile.take())
        #expect(try process.tryLock(parent.handle))
        do {
            let file = OpenFileCache.OpenFile(
                handle: parent.handle, identity: parent.identity, process: getpid() + 1)
            _ = IndexLock(
                index, file, .init(), folderStatus: try process.status(of: index.handle),
                generation: 0, needsNewJournal: false)
        }
        #expect(try index.tryLock() == nil)
    }

    @Test func lockFileThatWasReplacedIsOpenedAnew() throws {
        let notes = try sandbox.journaledNotes()
        try notes.append(Note(0))
        try sandbox.remove(".notes.lock")
        let other = try sandbox.journaledNotes()
        try other.append(Note(1))
        let index = try #require(try notes.core.openFolder(making: false))
        do {
            let lock = try index.lock()
            #expect(try other.core.openFolder(making: false)?.tryLock() == nil)
            withExtendedLifetime(lock) {}
        }
        try notes.append(Note(2))
        #expect(try Array(other.loaded()) == (0..<3).map(Note.init))
    }

    @Test func onlyTheLastUsedFilesStayOpen() throws {
        let files = MemoryFileSystem()
        let folder = try files.openFolder(at: "/")
        let group = OpenFileCache.Group(capacity: 2)
        let caches = (0..<3).map { _ in OpenFileCache(in: group) }
        for (number, index) in [0, 1, 0, 2].enumerated() {
            let name = try FileName(validating: "\(number)")
            let file = try files.openFile(name, in: folder, for: .create(mode: 0o600))
            caches[index].file = .init(
                handle: file, identity: try files.status(of: file).identity)
        }
        #expect(caches.map { $0.file != nil } == [true, false, true])
    }

    @Test func commitsOfTwoProcessesAreAllKeptWhenJournalsAreReplaced() throws {
        let (mine, others) = (try sandbox.journaledNotes(), try sandbox.journaledNotes())
        for id in 0..<9 {
            try mine.append(Note(id))
            if id.isMultiple(of: 3) { try others.checkpoint() }
            try others.append(Note(100 + id))
        }
        let expected = (0..<9).flatMap { [Note($0), Note(100 + $0)] }
        #expect(try Array(mine.loaded()) == expected)
        #expect(try Array(sandbox.journaledNotes().loaded()) == expected)
    }

    #if os(Linux)
        @Test func openFilesAreFewAndNoneStaysAfterTheRelease() throws {
            var all: [Directory<Note>] = []
            for number in 0..<60 {
                let notes = try sandbox.journaledNotes(
                    "folder \(number)", on: LocalFileSystem())
                for id in 0..<3 { try notes.append(Note(id)) }
                all.append(notes)
            }
            // Collections of other tests share the limit, and may have closed some of these.
            #expect(try openFiles() <= 48)
            all = []
            // Another test may be closing one of these files at this moment.
            for _ in 0..<100 where try openFiles() > 0 { Thread.sleep(forTimeInterval: 0.01) }
            #expect(try openFiles() == 0)
        }

        /// The number of open files below the folder of this test.
        private func openFiles() throws -> Int {
            let files = FileManager.default
            return try files.contentsOfDirectory(atPath: "/proc/self/fd").count { number in
                let path = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                return path?.hasPrefix(sandbox.url.path + "/") == true
            }
        }
    #endif
}
