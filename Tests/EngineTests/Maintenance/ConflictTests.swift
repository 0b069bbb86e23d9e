import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// An index that another program changed while its journal has newer changes.
struct ConflictTests {
    let sandbox: Sandbox
    let edited =
        #"[{"id":1,"title":"Brown eggs"}, {"id":2,"title":"Milk"}, {"id":9,"title":"Tea"}]"#

    init() throws { sandbox = try Sandbox() }

    /// Makes an index with Eggs, Milk and Bread, and a journal that renames Milk to Oat milk, removes
    /// Bread and adds Salt; then replaces the index with ``edited``.
    ///
    /// - Returns: The index before it was replaced.
    @discardableResult
    private func makeConflict() throws -> Data {
        let process = ProcessFileSystem(LocalFileSystem())
        let notes = try sandbox.journaledNotes(on: process)
        try notes.append(contentsOf: [.eggs, .milk, Note(id: 3, title: "Bread")])
        try notes.update(Note(id: 2, title: "Oat milk"))
        try notes.remove(id: 3)
        try notes.append(Note(id: 4, title: "Salt"))
        process.kill()
        #expect(sandbox.exists(".notes.journal"))
        let original = try sandbox.bytes("notes.json")
        try sandbox.write(edited, to: "notes.json")
        return original
    }

    @Test func conflictIsAnErrorAndNothingIsWritten() throws {
        try makeConflict()
        let journal = try sandbox.bytes(".notes.journal")
        let notes = try sandbox.journaledNotes()
        expectError(.indexConflict) { try notes.load() }
        expectError(.indexConflict) { try notes.append(Note(id: 5, title: "Honey")) }
        expectError(.indexConflict) { try notes.checkpoint() }
        #expect(try sandbox.text("notes.json") == edited)
        #expect(try sandbox.bytes(".notes.journal") == journal)
    }

    @Test func keepingTheIndexSetsTheJournalAside() throws {
        try makeConflict()
        let journal = try sandbox.bytes(".notes.journal")
        let notes = try sandbox.journaledNotes()
        try notes.resolveConflict(keeping: .index)
        #expect(notes.items.map(\.title) == ["Brown eggs", "Milk", "Tea"])
        #expect(!sandbox.exists(".notes.journal"))
        #expect(try setAside("notes.journal") == journal)
        #expect(try setAside("notes.json") == Data(edited.utf8))
        try notes.append(Note(id: 5, title: "Honey"))
        #expect(try sandbox.journaledNotes().loaded().map(\.id) == [1, 2, 9, 5])
    }

    @Test func keepingTheJournalAppliesItsChanges() throws {
        try makeConflict()
        let notes = try sandbox.journaledNotes()
        try notes.resolveConflict(keeping: .journal)
        #expect(notes.items.map(\.title) == ["Brown eggs", "Oat milk", "Salt", "Tea"])
        #expect(!sandbox.exists(".notes.journal"))
        #expect(try setAside("notes.json") == Data(edited.utf8))
        #expect(try sandbox.journaledNotes().loaded().map(\.id) == [1, 2, 4, 9])
    }

    @Test func restoringTheIndexEndsTheConflict() throws {
        let original = try makeConflict()
        try sandbox.write(original, to: "notes.json")
        #expect(try sandbox.journaledNotes().loaded().map(\.title) == ["Eggs", "Oat milk", "Salt"])
    }

    @Test func resolvingWithoutAConflictChangesNothing() throws {
        let notes = try sandbox.journaledNotes()
        try notes.append(.eggs)
        try notes.append(.milk)
        try notes.resolveConflict(keeping: .index)
        #expect(Array(notes.items) == [.eggs, .milk])
        #expect(!sandbox.exists("notes.recovered"))
    }

    @Test func killedResolutionIsDoneOrNotDone() throws {
        try makeConflict()
        let journal = try sandbox.bytes(".notes.journal")
        for side in [ConflictSide.index, .journal] {
            let step = TestSize.choose(sample: 6, gate: 1, full: 1)
            var random = SeededGenerator(named: "killed resolution, \(side)")
            var call = Int.random(in: 0..<step, using: &random)
            var isDead = true
            while isDead {
                try sandbox.write(journal, to: ".notes.journal")
                try sandbox.write(edited, to: "notes.json")
                let first = call
                let process = ProcessFileSystem(LocalFileSystem()) {
                    $0 >= first ? .killed : .works
                }
                try? sandbox.journaledNotes(on: process).resolveConflict(keeping: side)
                isDead = process.isDead
                let after = try sandbox.journaledNotes()
                do {
                    let ids = try after.loaded().map(\.id)
                    #expect(ids == (side == .index ? [1, 2, 9] : [1, 2, 4, 9]))
                } catch let error as DirectoryError {
                    #expect(error.code == .indexConflict)
                    #expect(try sandbox.bytes("notes.json") == Data(edited.utf8))
                }
                call += step
            }
            #expect(call > 20)
        }
    }

    /// The bytes of the file that was set aside and whose name ends in `suffix`.
    private func setAside(_ suffix: String) throws -> Data {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: sandbox.url("notes.recovered").path)
        let name = try #require(names.first { $0.hasSuffix("-" + suffix) })
        return try sandbox.bytes("notes.recovered/\(name)")
    }
}
