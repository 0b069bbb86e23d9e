import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Edits of items by bindings, which are committed together after a pause.
struct EditTests {
    private let disk: NotesDisk
    private let errors = Errors()

    init() throws {
        disk = try NotesDisk()
        try notes(on: ProcessFileSystem(disk.disk)).append(contentsOf: [.eggs, .milk])
    }

    /// Keeps the errors that bindings report.
    private final class Errors: Sendable {
        private let codes = AsyncStream.makeStream(of: DirectoryError.Code?.self)

        func add(_ error: any Error) {
            codes.continuation.yield((error as? DirectoryError)?.code)
        }

        var next: DirectoryError.Code? {
            get async { await codes.stream.first { _ in true } ?? nil }
        }
    }

    /// The notes as a process with `fileSystem` opens them; the pause never ends unless it is short.
    private func notes(
        on fileSystem: any FileSystem, pause: Duration = .seconds(10_000)
    ) throws -> Directory<Note> {
        var options = DirectoryOptions()
        options.editPause = pause
        let notes = try disk.notes(on: fileSystem, options)
        try notes.load()
        return notes
    }

    private func editor(_ id: Int, of notes: Directory<Note>) throws -> ItemEditor<Note> {
        let errors = errors
        return try #require(ItemEditor(id, of: notes) { errors.add($0) })
    }

    /// Changes the notes as another process does.
    private func changeElsewhere(_ body: (inout Directory<Note>.Draft) throws -> Void) throws {
        try notes(on: ProcessFileSystem(disk.disk)).write(body)
    }

    @Test func editShowsAtOnceInEveryBindingAndInTheCollectionWhenItIsOnDisk() throws {
        let notes = try notes(on: ProcessFileSystem(disk.disk))
        let (first, second) = (try editor(1, of: notes), try editor(1, of: notes))
        first.value.title = "Six eggs"
        #expect(first.value.title == "Six eggs")
        #expect(second.value.title == "Six eggs")
        #expect(notes[id: 1] == .eggs)
        #expect(try disk.read() == [.eggs, .milk])
        notes.core.commitEdits()
        #expect(notes[id: 1]?.title == "Six eggs")
        #expect(try disk.read() == [Note(id: 1, title: "Six eggs"), .milk])
    }

    @Test func editIsSavedWhenThePauseEnds() async throws {
        let notes = try notes(on: ProcessFileSystem(disk.disk), pause: .milliseconds(1))
        let changes = notes.changes
        try editor(1, of: notes).value.title = "Six eggs"
        #expect(await changes.first(1).map(\.updated) == [[1]])
        #expect(try disk.read().first?.title == "Six eggs")
    }

    @Test func editsAreCommittedTogether() throws {
        let notes = try notes(on: ProcessFileSystem(disk.disk))
        let (eggs, milk) = (try editor(1, of: notes), try editor(2, of: notes))
        for title in ["S", "Si", "Six", "Six eggs"] { eggs.value.title = title }
        milk.value.title = "Oat milk"
        notes.core.commitEdits()
        #expect(try disk.read().map(\.title) == ["Six eggs", "Oat milk"])
        #expect(try disk.journal.records.count == 1)
    }

    @Test func observersOfTheItemAreToldOfAnEdit() throws {
        let notes = try notes(on: ProcessFileSystem(disk.disk))
        let editor = try editor(1, of: notes)
        #expect(isTold(editor.value) { editor.value.title = "Six eggs" })
    }

    @Test func editThatCannotBeSavedIsReportedAndTheStoredItemShowsAgain() async throws {
        let isFull = Atomic(false)
        let process = ProcessFileSystem(disk.disk) { _, call in
            call.hasPrefix("write") && isFull.load(ordering: .relaxed) ? .fails(.noSpace) : .works
        }
        let notes = try notes(on: process)
        let editor = try editor(1, of: notes)
        isFull.store(true, ordering: .relaxed)
        editor.value.title = "Six eggs"
        notes.core.commitEdits()
        #expect(await errors.next == .noSpace)
        #expect(editor.value == .eggs)
        isFull.store(false, ordering: .relaxed)
        editor.value.title = "Ten eggs"
        notes.core.commitEdits()
        #expect(try disk.read().first?.title == "Ten eggs")
    }

    @Test func editThatFailsDoesNotKeepOthersFromBeingSaved() async throws {
        let notes = try notes(on: ProcessFileSystem(disk.disk))
        let (eggs, milk) = (try editor(1, of: notes), try editor(2, of: notes))
        eggs.value.title = "Six eggs"
        milk.value.title = "Oat milk"
        try changeElsewhere { try $0.remove(id: 1) }
        notes.core.commitEdits()
        #expect(await errors.next == .itemNotFound)
        #expect(try disk.read() == [Note(id: 2, title: "Oat milk")])
    }
}

extension EditTests {
    @Test func changeOfAnotherProcessIsNotOverwrittenByAnEdit() async throws {
        let notes = try notes(on: ProcessFileSystem(disk.disk))
        let editor = try editor(1, of: notes)
        editor.value.title = "Six eggs"
        try changeElsewhere { try $0.update(id: 1) { $0.title = "No eggs" } }
        notes.core.commitEdits()
        #expect(await errors.next == .itemChanged)
        #expect(editor.value.title == "No eggs")
        #expect(try disk.read().first?.title == "No eggs")
        editor.value.title = "Ten eggs"
        notes.core.commitEdits()
        #expect(try disk.read().first?.title == "Ten eggs")
    }

    @Test func editOfAValueThatWasReadBeforeAChangeOfAnotherProcessIsNotSaved() async throws {
        let notes = try notes(on: ProcessFileSystem(disk.disk))
        let editor = try editor(1, of: notes)
        var item = editor.value
        try changeElsewhere { try $0.update(id: 1) { $0.title = "No eggs" } }
        try await notes.load()
        item.title = "Six eggs"
        editor.value = item
        notes.core.commitEdits()
        #expect(await errors.next == .itemChanged)
        #expect(try disk.read().first?.title == "No eggs")
    }

    @Test func changeOfThisProcessFindsTheEditsThatCameBefore() throws {
        let notes = try notes(on: ProcessFileSystem(disk.disk))
        try editor(1, of: notes).value.title = "Six eggs"
        try notes.update(id: 1) { $0.title += " and bacon" }
        #expect(try disk.read().first?.title == "Six eggs and bacon")
    }

    @Test func editDuringACommitOfEditsIsSavedAfterIt() throws {
        let interruption = Interruption()
        let process = interruption.process(on: disk.disk, beforeCall: "rename", "notes.journal")
        let notes = try notes(on: process)
        let editor = try editor(1, of: notes)
        editor.value.title = "Six"
        interruption.set { editor.value.title += " eggs" }
        notes.core.commitEdits()
        #expect(interruption.hasRun)
        #expect(notes[id: 1]?.title == "Six")
        #expect(editor.value.title == "Six eggs")
        notes.core.commitEdits()
        #expect(try disk.read().first?.title == "Six eggs")
    }

    @Test func checkpointSavesEditsFirst() throws {
        let notes = try notes(on: ProcessFileSystem(disk.disk))
        try editor(1, of: notes).value.title = "Six eggs"
        try notes.checkpoint()
        #expect(try disk.read().first?.title == "Six eggs")
    }

    @Test func releaseOfTheLastHandleSavesEdits() throws {
        try editor(1, of: notes(on: ProcessFileSystem(disk.disk))).value.title = "Six eggs"
        #expect(try disk.read().first?.title == "Six eggs")
    }

    @Test func releaseOfOneOfSeveralHandlesDoesNotEndThePause() throws {
        let process = ProcessFileSystem(disk.disk)
        let notes = try notes(on: process)
        try editor(1, of: self.notes(on: process)).value.title = "Six eggs"
        #expect(notes[id: 1] == .eggs)
        #expect(try editor(1, of: notes).value.title == "Six eggs")
    }

    @Test func removedItemHasNoBindingAndAnOldBindingKeepsItsLastValue() throws {
        let notes = try notes(on: ProcessFileSystem(disk.disk))
        let editor = try editor(1, of: notes)
        try notes.remove(id: 1)
        #expect(ItemEditor(1, of: notes) { _ in } == nil)
        #expect(editor.value == .eggs)
    }

    @Test func releaseInsideAChangeSavesEditsSoon() async throws {
        // The changes end when the collection is released, which is after its edits were saved.
        for await _ in try releaseInsideAChange() {}
        #expect(try disk.read().first?.title == "Six eggs")
    }

    /// The changes of notes that are edited and released inside a change of another collection.
    private func releaseInsideAChange() throws -> Directory<Note>.Changes {
        let other = try Directory<OtherNote>(
            at: URL(filePath: "/store"), index: "other.json", on: ProcessFileSystem(disk.disk))
        return try other.write { draft in
            try draft.append(.pears)
            let notes = try Directory<Note>(
                at: URL(filePath: "/store"), index: "notes.json",
                on: ProcessFileSystem(disk.disk))
            try notes.load()
            try editor(1, of: notes).value.title = "Six eggs"
            return notes.changes
        }
    }
}
