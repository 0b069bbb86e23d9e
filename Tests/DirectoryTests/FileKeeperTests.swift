import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Directory

/// The files that stay open between commits: what is saved by that, and that nobody notices.
@Suite struct FileKeeperTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func notes(_ path: String = "", on files: any FileSystem = LocalFileSystem()) throws
        -> Directory<Note>
    {
        var options = DirectoryOptions(lockTimeout: .milliseconds(20))
        options.journalThreshold = 0
        return try Directory(
            at: sandbox.url(path), index: "notes.json", options: options, on: files)
    }

    private func openLock() throws -> Handle {
        let files = LocalFileSystem()
        return try files.openFile(
            ".notes.lock", in: files.openFolder(at: sandbox.url.path),
            for: .openOrCreate(mode: 0o600))
    }

    /// Under other tests' commits a collection may lose its files, so this has a group of its own.
    @Test func lockIsOpenedOnce() throws {
        let process = ProcessFileSystem(LocalFileSystem())
        let folder = try process.openFolder(at: sandbox.url.path)
        let store = IndexStore(
            fileSystem: process, names: try IndexNames("notes.json", in: sandbox.url),
            options: .init(), keeper: FileKeeper(in: .init(capacity: 1)))
        for _ in 0..<3 { try store.withLock(in: folder) { _ in } }
        #expect(process.log.count { $0.hasPrefix("open") && $0.hasSuffix(".lock") } == 1)
        #expect(process.log.count { $0.hasPrefix("unlock") } == 3)
    }

    @Test func journalIsOpenedOnce() throws {
        let process = ProcessFileSystem(LocalFileSystem())
        let notes = try notes(on: process)
        try notes.append(Note(0))
        let folder = try process.openFolder(at: sandbox.url.path)
        let store = IndexStore(
            fileSystem: process, names: notes.core.store.names, options: notes.core.store.options,
            keeper: FileKeeper(in: .init(capacity: 1)))
        var state = try store.read(in: folder, nil).state
        let before = process.log.count
        for id in 1..<4 {
            let line = Array("{\"id\":\(id),\"title\":\"\"}".utf8)[...]
            let update = IndexUpdate(operations: { [.insert(line, at: id)] }, lines: { [] })
            try store.withLock(in: folder) { lock in
                try store.commit(update, to: &state, in: folder, lock, .durable)
            }
        }
        let opened = process.log[before...].filter { $0.hasPrefix("open") }
        // The first of the three makes it, the second opens it.
        #expect(opened.count { $0.hasSuffix(".journal") } == 1)
        #expect(try self.notes().loaded().items.map(\.id) == [0, 1, 2, 3])
    }

    @Test func onlyTheLastKeepersKeepTheirFiles() throws {
        let group = FileKeeper.Group(capacity: 2)
        let keepers = (0..<3).map { _ in FileKeeper(in: group) }
        let lock = try openLock()
        let identity = try LocalFileSystem().status(of: lock).identity
        for keeper in [keepers[0], keepers[1], keepers[0], keepers[2]] {
            keeper.keep(.init(process: 1, lock: lock, identity: identity))
        }
        #expect(keepers.map { $0.take(for: 1) != nil } == [true, false, true])
    }

    @Test func lockIsFreeBetweenCommits() throws {
        let notes = try notes()
        for id in 0..<3 {
            try notes.append(Note(id))
            let lock = try openLock()
            #expect(try LocalFileSystem().tryLock(lock))
        }
    }

    @Test func replacedLockFileIsTheOneThatCounts() throws {
        let notes = try notes()
        for id in 0..<3 { try notes.append(Note(id)) }
        try sandbox.remove(".notes.lock")
        let lock = try openLock()
        #expect(try LocalFileSystem().tryLock(lock))
        withExtendedLifetime(lock) { _ = expectError(.locked) { try notes.append(Note(3)) } }
        #expect(notes.count == 3)
    }

    @Test func replacedJournalIsTheOneThatCounts() throws {
        let (mine, others) = (try notes(), try notes(on: ProcessFileSystem(LocalFileSystem())))
        for id in 0..<9 {
            try mine.append(Note(id))
            if id.isMultiple(of: 3) { try others.checkpoint() }
            try others.append(Note(100 + id))
        }
        let expected = (0..<9).flatMap { [Note($0), Note(100 + $0)] }
        #expect(try Array(mine.loaded().items) == expected)
        let third = ProcessFileSystem(LocalFileSystem())
        #expect(try Array(notes(on: third).loaded().items) == expected)
    }

    @Test func forkedProcessTakesNoFilesOfItsParent() throws {
        let keeper = FileKeeper()
        let lock = try openLock()
        let identity = try LocalFileSystem().status(of: lock).identity
        keeper.keep(.init(process: 1, lock: lock, identity: identity))
        #expect(keeper.take(for: 2) == nil)
        #expect(keeper.take(for: 1) == nil)
    }

    #if os(Linux)
        @Test func fewFilesStayOpen() throws {
            var all: [Directory<Note>] = []
            for number in 0..<40 {
                let notes = try notes("folder \(number)")
                for id in 0..<3 { try notes.append(Note(id)) }
                all.append(notes)
            }
            // Others keep some open too, and may push these out.
            #expect(try openFiles() <= 16)
            all = []
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

extension Directory {
    fileprivate func loaded() throws -> Self {
        try load()
        return self
    }
}
