import DirectoryTestSupport
import FileSystem
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Drafts of one item, as a form uses them.
struct DraftOfOneItemTests {
    private let disk: NotesDisk
    private let process: ProcessFileSystem
    private let notes: Directory<Note>

    init() throws {
        disk = try NotesDisk()
        process = ProcessFileSystem(disk.disk)
        notes = try disk.notes(on: process)
        try notes.append(contentsOf: [.eggs, .milk])
    }

    private func edit(_ note: Note) throws -> Directory<Note>.ItemDraft {
        try #require(notes.edit(note.id))
    }

    /// Changes the notes as another process does, and loads them.
    private func changeElsewhere(_ body: (inout Directory<Note>.Draft) throws -> Void) throws {
        let others = try disk.notes(on: ProcessFileSystem(disk.disk))
        try others.write(body)
        try notes.load()
    }

    @Test func draftShowsTheNewestItemUntilItIsChanged() throws {
        let edit = try edit(.eggs)
        try changeElsewhere { try $0.update(id: 1) { $0.title = "Ten eggs" } }
        #expect(edit.item.title == "Ten eggs")
        #expect(!edit.isChanged && edit.conflict == nil)
        edit.item.title += " and bacon"
        try changeElsewhere { try $0.update(id: 1) { $0.title = "No eggs" } }
        #expect(edit.item.title == "Ten eggs and bacon")
        #expect(edit.original.title == "Ten eggs")
        #expect(notes.edit(99) == nil)
    }

    @Test func draftIsOnDiskWhenItIsSavedAndNotBefore() throws {
        let edit = try edit(.eggs)
        edit.item.title = "Six eggs"
        #expect(edit.isChanged)
        #expect(notes[id: 1] == .eggs)
        #expect(try disk.read() == [.eggs, .milk])
        try edit.save()
        #expect(try disk.read() == [Note(id: 1, title: "Six eggs"), .milk])
        #expect(!edit.isChanged && edit.original.title == "Six eggs")
        edit.item.title = "Ten eggs"
        try edit.save()
        #expect(try disk.read().first?.title == "Ten eggs")
    }

    @Test func draftCanBeSavedWithoutBlocking() async throws {
        let edit = try edit(.eggs)
        edit.item.title = "Six eggs"
        try await edit.save()
        #expect(!edit.isChanged)
        #expect(try disk.read().first?.title == "Six eggs")
    }

    @Test func draftThatIsAsBeforeIsNotWritten() throws {
        let edit = try edit(.eggs)
        edit.item.title = "Six eggs"
        edit.item.title = Note.eggs.title
        #expect(!edit.isChanged)
        let calls = process.log.count
        try edit.save()
        #expect(process.log.count == calls)
    }

    @Test func discardedDraftIsForgotten() throws {
        let edit = try edit(.eggs)
        edit.item.title = "Six eggs"
        edit.discard()
        #expect(edit.item == .eggs && !edit.isChanged)
        try edit.save()
        #expect(try disk.read() == [.eggs, .milk])
    }

    @Test func whatOthersChangedIsNotUndoneUnlessThatIsAskedFor() throws {
        let edit = try edit(.eggs)
        edit.item.title = "Six eggs"
        try changeElsewhere { try $0.update(id: 1) { $0.title = "No eggs" } }
        let conflict = try #require(edit.conflict)
        #expect(conflict.current?.title == "No eggs")
        #expect(conflict.changedMembers == ["title"])
        let error = expectError(.itemChanged) { try edit.save() }
        #expect(error?.message.contains("changed in title") == true)
        #expect(edit.item.title == "Six eggs")
        #expect(try disk.read().first?.title == "No eggs")
        try edit.save(overwriting: true)
        #expect(try disk.read().first?.title == "Six eggs")
        #expect(edit.conflict == nil)
    }

    /// What others changed may not have been loaded yet.
    @Test func saveFindsWhatOthersChangedJustBefore() throws {
        let edit = try edit(.eggs)
        edit.item.title = "Six eggs"
        let others = try disk.notes(on: ProcessFileSystem(disk.disk))
        try others.update(id: 1) { $0.title = "No eggs" }
        #expect(edit.conflict == nil)
        expectError(.itemChanged) { try edit.save() }
        #expect(edit.conflict?.changedMembers == ["title"])
    }

    @Test func editOfABindingAfterTheDraftWasBegunIsAConflict() throws {
        let editor = try #require(ItemEditor(1, of: notes) { Issue.record($0) })
        editor.value.title = "Six"
        let edit = try edit(.eggs)
        edit.item.title = "Ten eggs"
        editor.value.title = "Six eggs"
        expectError(.itemChanged) { try edit.save() }
        #expect(edit.conflict?.current?.title == "Six eggs")
        #expect(try disk.read().first?.title == "Six eggs")
    }

    @Test func otherPropertiesDoNotMoveWhatADraftBeginsFrom() throws {
        let edit = try edit(.eggs)
        var mine = edit.item
        try changeElsewhere { try $0.update(id: 1) { $0.title = "No eggs" } }
        #expect(!edit.isChanged && edit.conflict == nil && edit.original.title == "No eggs")
        mine.title = "Six eggs"
        edit.item = mine
        expectError(.itemChanged) { try edit.save() }
        #expect(try disk.read().first?.title == "No eggs")
    }

    @Test func changeOfAnotherItemIsNoConflict() throws {
        let edit = try edit(.eggs)
        edit.item.title = "Six eggs"
        try changeElsewhere { try $0.update(id: 2) { $0.title = "Oat milk" } }
        #expect(edit.conflict == nil)
        try edit.save()
        #expect(try disk.read().map(\.title) == ["Six eggs", "Oat milk"])
    }

    @Test func draftOfAnItemThatWasRemovedStays() throws {
        let edit = try edit(.eggs)
        edit.item.title = "Six eggs"
        try changeElsewhere { try $0.remove(id: 1) }
        let conflict = try #require(edit.conflict)
        #expect(conflict.current == nil && conflict.changedMembers.isEmpty)
        expectError(.itemNotFound) { try edit.save() }
        expectError(.itemNotFound) { try edit.save(overwriting: true) }
        #expect(edit.item.title == "Six eggs")
        try notes.append(edit.item)
        #expect(try disk.read() == [.milk, Note(id: 1, title: "Six eggs")])
    }

    @Test func draftWithTheIDOfAnotherItemIsRefused() throws {
        let edit = try edit(.eggs)
        edit.item = .milk
        expectError(.invalidID) { try edit.save(overwriting: true) }
        #expect(try disk.read() == [.eggs, .milk])
    }

    @Test func draftStaysIfItCannotBeSaved() throws {
        let isFull = Atomic(true)
        let full = ProcessFileSystem(disk.disk) { _, call in
            call.hasPrefix("write") && isFull.load(ordering: .relaxed) ? .fails(.noSpace) : .works
        }
        let notes = try disk.notes(on: full)
        try notes.load()
        let edit = try #require(notes.edit(1))
        edit.item.title = "Six eggs"
        expectError(.noSpace) { try edit.save() }
        #expect(edit.isChanged)
        isFull.store(false, ordering: .relaxed)
        try edit.save()
        #expect(try disk.read().first?.title == "Six eggs")
    }

    @Test func draftThatIsChangedWhileItIsSavedGoesOnFromThat() throws {
        let interruption = Interruption()
        let process = interruption.process(on: disk.disk, beforeCall: "rename", "notes.journal")
        let notes = try disk.notes(on: process)
        try notes.load()
        let edit = try #require(notes.edit(1))
        edit.item.title = "Six"
        interruption.set { edit.item.title += " eggs" }
        try edit.save()
        #expect(interruption.hasRun)
        #expect(try disk.read().first?.title == "Six")
        #expect(edit.isChanged && edit.conflict == nil)
        try edit.save()
        #expect(try disk.read().first?.title == "Six eggs")
    }

    @Test func observersOfADraftAreToldOfWhatItShows() throws {
        let edit = try edit(.eggs)
        #expect(isTold(edit.isChanged) { edit.item.title = "Six eggs" })
        #expect(try isTold(edit.conflict) { try notes.update(id: 1) { $0.title = "No" } })
        #expect(try !isTold(edit.item) { try notes.update(id: 1) { $0.title = "Two" } })
        #expect(isTold(edit.item) { edit.discard() })
        #expect(try isTold(edit.item) { try notes.update(id: 1) { $0.title = "Ten" } })
    }
}
