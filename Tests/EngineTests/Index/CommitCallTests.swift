import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// What a commit to the journal looks at, and what it need not look at again.
struct CommitCallTests {
    private let disk = MemoryFileSystem()

    /// Notes as a process has them whose files no commits of other tests can close.
    private func notes(on process: any FileSystem) throws -> Directory<Note> {
        var options = DirectoryOptions()
        options.journalThreshold = 0
        options.durability = .relaxed
        let url = URL(filePath: "/notes", directoryHint: .isDirectory)
        let location = try PathLocation(
            url, on: process, options: options, isContainer: false)
        let store = IndexStore(
            fileSystem: process, names: try IndexNames("notes.json", in: url), options: options,
            openFiles: .init(capacity: 3))
        return Directory(core: Core(location, store, ItemCoding<Note>.self), durability: .relaxed)
    }

    /// The calls of the last of four appends; the first of these make the index and the journal.
    private func callsOfAppend(on process: ProcessFileSystem) throws -> [String] {
        let notes = try notes(on: process)
        for id in 0..<3 { try notes.append(Note(id)) }
        let before = process.calls
        try notes.append(Note(3))
        return Array(process.log[before...])
    }

    /// Takes the lock, and looks for what others have changed.
    private static let looks = [
        "lock /notes/.notes.lock",
        "stat /notes/",
        "read /notes/.notes.lock",
        "stat /notes/.notes.journal",
        "stat /notes/notes.json",
        "read /notes/.notes.journal",
    ]
    private static let writes = [
        "stat /notes/.notes.journal",
        "write /notes/.notes.journal",
        "unlock /notes/.notes.lock",
    ]

    @Test func relaxedAppendMakesFewCalls() throws {
        let calls = try callsOfAppend(on: ProcessFileSystem(disk))
        #expect(
            calls == Self.looks + Self.writes)
    }

    /// The journal is open already, and the generation cannot change under the lock, so only the record is read.
    @Test func appendAfterThatOfAnotherCoreReadsOneRecordMore() throws {
        let process = ProcessFileSystem(disk)
        let notes = try notes(on: process)
        for id in 0..<3 { try notes.append(Note(id)) }
        let others = try self.notes(on: ProcessFileSystem(disk))
        try others.load()
        try others.append(Note(3))
        let before = process.calls
        try notes.append(Note(4))
        #expect(
            Array(process.log[before...])
                == Self.looks + ["read /notes/.notes.journal"] + Self.writes)
        #expect(notes.items.map(\.id) == Array(0..<5))
    }

    /// The folder was changed so short a time ago that the next change could get the same time.
    @Test func appendLooksForTransactionsWhileTimesAreRounded() throws {
        let sandbox = try Sandbox()
        let process = ProcessFileSystem(LocalFileSystem())
        var options = DirectoryOptions()
        options.journalThreshold = 0
        let notes = try Directory<Note>(
            at: sandbox.url, index: "notes.json", options: options, on: process)
        try notes.append(Note(0))
        let before = process.calls
        try notes.append(Note(1))
        #expect(process.log[before...].contains { $0.hasSuffix(".staging") })
    }

    @Test func timeOfAChangeIsTrustedOnceItIsLongerAgoThanItsRounding() {
        func shows(_ age: Double, nanoseconds: Int) -> Bool {
            var changed = FileTime(Date(timeIntervalSinceNow: -age))
            changed.nanoseconds = nanoseconds
            let status = FileStatus(
                kind: .folder, identity: FileIdentity(device: 1, inode: 1), size: 0, linkCount: 1,
                mode: 0o700, modified: .epoch, changed: changed)
            return LocalFileSystem().everyChangeShows(after: status)
        }
        #expect(shows(2, nanoseconds: 1))
        #expect(shows(4, nanoseconds: 0))
        #expect(!shows(0.9, nanoseconds: 0))
        #expect(!shows(-1, nanoseconds: 1))
    }

    /// An intent that another process leaves between two appends, or a sync engine brings from another machine.
    @Test(arguments: [false, true]) func appendFindsATransactionThatCameMeanwhile(
        ofOtherMachine isOther: Bool
    ) throws {
        let notes = try notes(on: ProcessFileSystem(disk))
        for id in 0..<3 { try notes.append(Note(id)) }
        let folder = try disk.openFolder(at: "/notes")
        let digits = String(repeating: "a", count: 32)
        let name = try FileName(validating: "notes~\(digits)")
        let staging = try disk.openOrMakeFolder(IndexNames.staging, in: folder, mode: 0o700)
        let own = try disk.openOrMakeFolder(name, in: staging, mode: 0o700)
        var intent = Intent(removedFiles: [try FileName(validating: "a.jpg")])
        if isOther { intent.machine = "0badcafe" }
        let file = try disk.openFile(Intent.fileName, in: own, for: .create(mode: 0o600))
        try disk.write(intent.encoded(), to: file, at: 0)
        if isOther {
            expectError(.locked) { try notes.append(Note(3)) }
            #expect(try disk.list(own) == [Intent.fileName])
        } else {
            try notes.append(Note(3))
            notes.core.background.wait()
            #expect(try !disk.list(folder).contains(IndexNames.staging))
        }
    }

    /// A backup that is made of second names must not change together with the collection.
    @Test func journalAndLockFileThatGotSecondNamesElsewhereAreNotWrittenTo() throws {
        let notes = try notes(on: ProcessFileSystem(disk))
        for id in 0..<3 { try notes.append(Note(id)) }
        let root = try disk.openFolder(at: "/")
        let folder = try disk.openFolder(at: "/notes")
        let copy = try FileName(validating: "copy")
        let names = notes.core.store.names
        try disk.link(names.journal, in: folder, to: copy, in: root)
        let before = try disk.readAll(copy, in: root)
        try notes.append(Note(3))
        #expect(try disk.readAll(copy, in: root) == before)
        try disk.removeFile(copy, in: root)
        try notes.append(Note(4))
        try disk.link(names.lock, in: folder, to: copy, in: root)
        let generation = try disk.readAll(copy, in: root)
        // A commit that appends to the journal does not write to the lock file; one that replaces a file does.
        try notes.append(Note(5))
        expectError(.ioFailure) { try notes.checkpoint() }
        #expect(try disk.readAll(copy, in: root) == generation)
        try disk.removeFile(copy, in: root)
        try notes.checkpoint()
        #expect(try self.notes(on: ProcessFileSystem(disk)).loaded().map(\.id) == Array(0..<6))
    }

    @Test func lockFileThatWasReplacedBetweenAppendsIsNotUsed() throws {
        let notes = try notes(on: ProcessFileSystem(disk))
        for id in 0..<3 { try notes.append(Note(id)) }
        let folder = try disk.openFolder(at: "/notes")
        let name = notes.core.store.names.lock
        try disk.removeFile(name, in: folder)
        let new = try disk.openFile(name, in: folder, for: .create(mode: 0o600))
        #expect(try disk.tryLock(new))
        let index = try #require(try notes.core.openFolder(making: false))
        #expect(try index.tryLock() == nil)
        try disk.unlock(new)
        try notes.append(Note(3))
        #expect(try disk.tryLock(new))
        #expect(try index.tryLock() == nil)
    }

    @Test func folderThatWasReplacedIsNotUsed() throws {
        let notes = try notes(on: ProcessFileSystem(disk))
        for id in 0..<3 { try notes.append(Note(id)) }
        let root = try disk.openFolder(at: "/")
        let (name, old) = (try FileName(validating: "notes"), try FileName(validating: "old"))
        try disk.rename(name, in: root, to: old, in: root, replacing: false)
        expectError(.containerRemoved) { try notes.append(Note(3)) }
        try disk.makeFolder(name, in: root, mode: 0o700)
        expectError(.containerRemoved) { try notes.append(Note(3)) }
        try disk.removeFolder(name, in: root)
        try disk.rename(old, in: root, to: name, in: root, replacing: false)
        try notes.append(Note(3))
        #expect(try self.notes(on: ProcessFileSystem(disk)).loaded().map(\.id) == [0, 1, 2, 3])
    }
}
