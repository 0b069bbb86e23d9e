import DirectoryTestSupport
import Foundation
import Observation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Changes of items without files, taken back and made again.
struct UndoTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func open(limit: Int = 10) throws -> Directory<Note> {
        try Directory(
            at: sandbox.url, index: "notes.json", options: DirectoryOptions(undoLimit: limit))
    }

    private func three(limit: Int = 10) throws -> Directory<Note> {
        try Directory<OtherNote>(at: sandbox.url, index: "notes.json").append(
            contentsOf: [1, 2, 3].map { OtherNote(id: $0, title: "\($0)") })
        let notes = try open(limit: limit)
        try notes.load()
        return notes
    }

    @Test func nothingIsUndoneUnlessTheOptionsSaySo() throws {
        let notes = try three(limit: 0)
        try notes.append(.init(id: 4, title: "4"))
        #expect(!notes.canUndo)
        #expect(try notes.undo() == nil)
        #expect(notes.count == 4)
    }

    /// Tasks whose changes wait together share no step.
    @Test func eachChangeOfSeveralTasksIsAStepOfItsOwn() async throws {
        let notes = try open(limit: 50)
        try await withThrowingTaskGroup { group in
            for id in 1...20 {
                group.addTask { try await notes.append(Note(id: id, title: "\(id)")) }
            }
            try await group.waitForAll()
        }
        for count in (0..<20).reversed() {
            try await notes.undo()
            #expect(notes.count == count)
        }
        #expect(!notes.canUndo)
        while try await notes.redo() != nil {}
        #expect(Set(notes.items.map(\.id)) == Set(1...20))
    }

    private static let changes: [String: @Sendable (Directory<Note>) throws -> Void] = [
        "append": { try $0.append(Note(id: 4, title: "4")) },
        "insert": { try $0.insert(Note(id: 4, title: "4"), at: 1) },
        "update": { try $0.update(Note(id: 2, title: "two")) },
        "remove first": { try $0.remove(id: 1) },
        "remove middle": { try $0.remove(id: 2) },
        "remove last": { try $0.remove(id: 3) },
        "remove all": { try $0.removeAll { _ in true } },
        "move": { try $0.move(fromOffsets: [0], toOffset: 3) },
        "sort": { try $0.sort(using: KeyPathComparator(\.id, order: .reverse)) },
        "remove and add": { notes in
            try notes.write { draft in
                try draft.remove(id: 1)
                try draft.append(Note(id: 1, title: "again"))
            }
        },
        "several": { notes in
            try notes.write { draft in
                try draft.remove(id: 2)
                try draft.update(Note(id: 1, title: "one"))
                try draft.insert(Note(id: 9, title: "9"), at: 0)
                try draft.move(fromOffsets: [2], toOffset: 0)
            }
        },
        "binding": { notes in
            let editor = try #require(ItemEditor(2, of: notes) { _ in })
            editor.value.title = "edited"
        },
    ]

    @Test(arguments: Sweep.cases(changes.keys.sorted(), sample: 1))
    func undoBringsTheIndexBackByteForByteAndRedoMakesTheChangeAgain(_ name: String) throws {
        let notes = try three()
        let before = try sandbox.text("notes.json")
        let change = try #require(Self.changes[name])
        try change(notes)
        let undone = try #require(try notes.undo())
        #expect(!undone.isEmpty)
        #expect(try sandbox.text("notes.json") == before)
        #expect(!notes.canUndo)
        #expect(try notes.undo() == nil)
        #expect(notes.canRedo)
        #expect(try notes.redo() != nil)
        let after = try sandbox.text("notes.json")
        #expect(after != before)
        #expect(try notes.redo() == nil)
        #expect(try notes.undo() != nil)
        #expect(try sandbox.text("notes.json") == before)
        #expect(try notes.redo() != nil)
        #expect(try sandbox.text("notes.json") == after)
        #expect(try sandbox.notesOnDisk() == Array(notes.items))
    }

    @Test func undoSaysWhatItChanged() throws {
        let notes = try three()
        try notes.write { draft in
            try draft.remove(id: 2)
            try draft.update(Note(id: 1, title: "one"))
            try draft.append(Note(id: 4, title: "4"))
        }
        let change = try #require(try notes.undo())
        #expect(change.inserted == [2] && change.updated == [1] && change.removed == [4])
        #expect(!change.isReordered)
    }

    @Test func membersThatTheTypeDoesNotKnowComeBack() throws {
        let index =
            "[\n{\"id\":1,\"new\":{\"a\":[1]},\"title\":\"a\"},\n{\"title\":\"b\",\"id\":2}\n]\n"
        try sandbox.write(index, to: "notes.json")
        let notes = try open()
        try notes.update(Note(id: 2, title: "c"))
        try notes.remove(id: 1)
        try notes.undo()
        try notes.undo()
        #expect(try sandbox.text("notes.json") == index)
    }

    @Test func damagedElementsComeBackToTheirPlaces() throws {
        let index = #"""
            [
            {"id":1,"title":"a"},
            {"id":1,"title":"duplicate"},
            {"damaged":1},
            {"id":2,"title":"b"},
            {"damaged":2}
            ]

            """#
        try sandbox.write(index, to: "notes.json")
        let notes = try open()
        try notes.remove(id: 1)
        try notes.move(fromOffsets: [0], toOffset: 1)
        try notes.append(.salt)
        try notes.move(fromOffsets: [1], toOffset: 0)
        try notes.remove(id: 3)
        while notes.canUndo { try notes.undo() }
        #expect(try sandbox.text("notes.json") == index)
    }

    @Test func oneStepIsOneWrite() throws {
        let notes = try three()
        try notes.write { draft in
            for id in 4...9 { try draft.append(Note(id: id, title: "")) }
        }
        try notes.undo()
        #expect(notes.items.map(\.id) == [1, 2, 3])
        #expect(!notes.canUndo)
    }

    @Test func onlyAsManyStepsAreKeptAsTheLimitSays() throws {
        let notes = try three(limit: 2)
        for id in 4...6 { try notes.append(Note(id: id, title: "")) }
        try notes.undo()
        try notes.undo()
        #expect(try notes.undo() == nil)
        #expect(notes.items.map(\.id) == [1, 2, 3, 4])
        try notes.redo()
        try notes.redo()
        #expect(notes.items.map(\.id) == [1, 2, 3, 4, 5, 6])
    }

    @Test func newChangeEndsWhatCanBeRedone() throws {
        let notes = try three()
        try notes.append(Note(id: 4, title: ""))
        try notes.undo()
        try notes.append(Note(id: 5, title: ""))
        #expect(!notes.canRedo)
        #expect(try notes.redo() == nil)
        try notes.undo()
        #expect(notes.items.map(\.id) == [1, 2, 3])
    }

    @Test func editsThatWaitAreCommittedFirstAndUndone() throws {
        let notes = try three()
        let editor = try #require(ItemEditor(2, of: notes) { _ in })
        editor.value.title = "edited"
        #expect(try notes.undo()?.updated == [2])
        #expect(try sandbox.notesOnDisk()[1].title == "2")
        #expect(editor.value.title == "2")
        try notes.redo()
        #expect(editor.value.title == "edited")
    }

    @Test func observersAreToldWhenAChangeCanBeUndoneOrRedoneAndNotOtherwise() throws {
        let notes = try three()
        func changes(_ body: () throws -> Void) rethrows -> [String] {
            let log = Mutex<[String]>([])
            withObservationTracking {
                _ = notes.canUndo
            } onChange: {
                log.withLock { $0 += ["undo"] }
            }
            withObservationTracking {
                _ = notes.canRedo
            } onChange: {
                log.withLock { $0 += ["redo"] }
            }
            try body()
            return log.withLock { $0 }
        }
        #expect(try changes { try notes.append(Note(id: 4, title: "")) } == ["undo"])
        #expect(try changes { try notes.append(Note(id: 5, title: "")) } == [])
        #expect(try changes { try notes.undo() } == ["redo"])
        #expect(try changes { try notes.undo() } == ["undo"])
        #expect(try changes { try notes.append(Note(id: 6, title: "")) } == ["undo", "redo"])
        #expect(try changes { try notes.close() } == ["undo"])
        #expect(!notes.canUndo)
        expectError(.closed) { try notes.undo() }
    }

    @Test func newValueAfterTheLastOneHasNothingToUndo() throws {
        try open().append(.eggs)
        #expect(try !open().canUndo)
    }

    @Test func undoInsideAChangeIsRefused() throws {
        let notes = try three()
        try notes.append(Note(id: 4, title: ""))
        _ = try notes.write { _ in expectError(.nestedWrite) { try notes.undo() } }
        #expect(notes.count == 4)
    }

    @Test func undoInAMemoryVolumeFailsAsOtherChangesDo() throws {
        let volume = MemoryVolume(at: sandbox.url)
        let notes = try open()
        try notes.append(.eggs)
        volume.fail(.noSpace)
        expectError(.noSpace) { try notes.undo() }
        #expect(notes.count == 1)
        try notes.undo()
        #expect(notes.isEmpty)
    }
}
