import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// An index that has lost its journal says so to processes that have never seen it.
struct JournalMarkTests {
    private let sandbox: Sandbox
    /// It dies, so the journal stays.
    private let process = ProcessFileSystem(LocalFileSystem())

    init() throws {
        sandbox = try Sandbox()
        let notes = try sandbox.journaledNotes(on: process)
        for note in [Note.eggs, .milk, .salt] { try notes.append(note) }
        process.kill()
        #expect(try sandbox.text("notes.json").hasPrefix("[ \n"))
    }

    @Test(arguments: [true, false]) func copyWithoutHiddenFilesIsAnError(_ hasLockFile: Bool) throws
    {
        try sandbox.remove(".notes.journal")
        if !hasLockFile { try sandbox.remove(".notes.lock") }
        let files = try sandbox.contents("notes.json")
        let notes = try sandbox.journaledNotes()
        expectError(.journalMissing) { try notes.load() }
        expectError(.journalMissing) { try notes.append(Note(id: 9, title: "Pears")) }
        expectError(.journalMissing) { _ = try notes.verify() }
        #expect(notes.isEmpty)
        let findings = try Directory.verify(below: sandbox.url)
        #expect(findings.map(\.kind).contains(.journalMissing))
        #expect(try sandbox.contents("notes.json") == files)
    }

    @Test func repairAcceptsTheIndexAsItIs() throws {
        try sandbox.remove(".notes.journal")
        let notes = try sandbox.journaledNotes()
        #expect(try notes.repair().map(\.finding.kind) == [.journalMissing])
        #expect(Array(notes.items) == [.eggs])
        #expect(try notes.repair().isEmpty && notes.verify().isEmpty)
        try notes.append(.milk)
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk])
    }

    /// What comes back has the same bytes in another file, and no journal.
    @Test func repairWritesWhatTheProcessStillHas() throws {
        let notes = try sandbox.journaledNotes()
        try notes.load()
        let bytes = try sandbox.bytes("notes.json")
        for name in ["notes.json", ".notes.journal"] { try sandbox.remove(name) }
        try sandbox.write(bytes, to: "notes.json")
        expectError(.journalMissing) { try notes.load() }
        #expect(try notes.repair().map(\.finding.kind) == [.journalMissing])
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk, .salt])
    }

    /// Otherwise the loss would be forgotten, and nobody told of it.
    @Test func repairDoesNotAcceptAnIndexThatCannotBeRead() throws {
        try sandbox.remove(".notes.journal")
        try sandbox.write(
            sandbox.text("notes.json").replacing("Eggs\"", with: "Eggs\"},{\"x\":1"),
            to: "notes.json")
        var options = DirectoryOptions(damagedItems: .refuse)
        options.journalThreshold = 0
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json", options: options)
        expectError(.undecodable) { try notes.repair() }
        expectError(.journalMissing) { try sandbox.journaledNotes().load() }
    }

    @Test func copyOfAContainerSaysThatAJournalIsMissing() throws {
        let boxes = try Directory<Box>(at: sandbox.url("store"), index: "boxes.json")
        try boxes.append(Box(id: 1, folderName: "One"))
        try sandbox.write(sandbox.bytes("notes.json"), to: "store/One/notes.json")
        expectError(.journalMissing) { try boxes.copy(to: sandbox.url("copy")) }
        #expect(!sandbox.exists("copy"))
    }

    @Test func theFileCanBePutBack() throws {
        let journal = try sandbox.bytes(".notes.journal")
        try sandbox.remove(".notes.journal")
        let notes = try sandbox.journaledNotes()
        expectError(.journalMissing) { try notes.load() }
        try sandbox.write(journal, to: ".notes.journal")
        try notes.load()
        #expect(notes.count == 3)
    }

    /// Editors remove spaces at the ends of lines.
    @Test func indexWithoutTheMarkBelongsToTheJournalToo() throws {
        try sandbox.write(
            sandbox.text("notes.json").replacing("[ \n", with: "[\n"), to: "notes.json")
        let notes = try sandbox.journaledNotes()
        try notes.load()
        #expect(notes.count == 3)
        #expect(try notes.verify().isEmpty)
    }

    @Test func closeAndCopiesLeaveNoMark() throws {
        let notes = try sandbox.journaledNotes()
        try notes.copy(to: sandbox.url("copy"))
        #expect(try sandbox.text("copy/notes.json").hasPrefix("[\n"))
        #expect(!sandbox.exists("copy/.notes.journal"))
        try notes.close()
        #expect(try sandbox.text("notes.json").hasPrefix("[\n"))
        #expect(!sandbox.exists(".notes.journal"))
    }

    /// While commits go on, a checkpoint in the background leaves a journal, and the next commit need not write the
    /// index again.
    @Test(arguments: [0, 2]) func checkpointInTheBackgroundKeepsTheMark(_ later: Int) throws {
        let notes = try sandbox.journaledNotes()
        try notes.load()
        let folder = try #require(try notes.core.openFolder(making: false))
        let begun = try #require(try notes.core.withLock { try Checkpoint(of: $0) } ?? nil)
        let new = try folder.writeTemporary(begun.snapshot.lines, isMarked: true)
        for id in 0..<later { try notes.append(Note(id: id + 10, title: "\(id)")) }
        _ = try notes.core.withLock { try begun.finish(new, in: $0) }
        #expect(try sandbox.text("notes.json").hasPrefix(later > 0 ? "[ \n" : "[\n"))
        #expect(sandbox.exists(".notes.journal") == (later > 0))
        try notes.append(Note(id: 20, title: "last"))
        #expect(try sandbox.text("notes.json").hasPrefix("[ \n"))
        #expect(try sandbox.notesOnDisk().count == 4 + later)
        try notes.close()
        #expect(try sandbox.text("notes.json").hasPrefix("[\n"))
    }

    /// The space for the mark is not needed for the change, which comes first.
    @Test func fullVolumeLeavesTheMarkOut() throws {
        try sandbox.journaledNotes().close()
        let count = Atomic(0)
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            guard call.hasPrefix("create"), call.hasSuffix(".tmp") else { return .works }
            return count.add(1, ordering: .relaxed).newValue == 2 ? .fails(.noSpace) : .works
        }
        let notes = try sandbox.journaledNotes(on: process)
        try notes.append(Note(id: 9, title: "Pears"))
        #expect(count.load(ordering: .relaxed) == 2)
        #expect(try sandbox.text("notes.json").hasPrefix("[\n"))
        #expect(try sandbox.notesOnDisk().count == 4)
        #expect(try !sandbox.tree().keys.contains { $0.hasSuffix(".tmp") })
    }
}
