import DirectoryTestSupport
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Elements that the type cannot decode are reported with their errors, and become items in place.
struct MigrationTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// What an older version wrote: an id that is a string, and another name of the title.
    private struct OldNote: Codable {
        var id: String
        var text: String
    }

    private func notes(_ lines: [String], _ options: DirectoryOptions = .init()) throws
        -> Directory<Note>
    {
        try sandbox.write("[\n\(lines.joined(separator: ",\n"))\n]\n", to: "notes.json")
        return try Directory<Note>(at: sandbox.url, index: "notes.json", options: options)
    }

    private func lines() throws -> [String] {
        try sandbox.text("notes.json").split(separator: "\n").dropFirst().dropLast()
            .map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
    }

    private func old(_ id: Int, _ text: String) -> String {
        #"{"id":"\#(id)", "text":"\#(text)"}"#
    }

    private func line(_ id: Int, _ title: String) -> String {
        #"{"id":\#(id),"title":"\#(title)"}"#
    }

    /// What becomes of the old line: the type does not know `text`, so it stays.
    private func migrated(_ id: Int, _ text: String) -> String {
        #"{"id":\#(id),"text":"\#(text)","title":"\#(text)"}"#
    }

    private func migrate(_ damaged: DamagedItem) throws -> Note? {
        let note = try damaged.decode(OldNote.self)
        return try Note(id: #require(Int(note.id)), title: note.text)
    }

    @Test func damagedItemHasItsErrorAndItsPosition() throws {
        let notes = try notes([
            old(8, "A"), line(1, "Eggs"), #"{"id":2,"title":5}"#, line(1, "Twice"), "7",
        ])
        try notes.load()
        let damaged = notes.damagedItems
        #expect(damaged.map(\.position) == [0, 2, 3, 4])
        #expect(damaged.map(\.json)[0] == old(8, "A"))
        #expect(damaged.map { $0.error is DecodingError } == [true, true, false, true])
        guard case .typeMismatch(_, let context)? = damaged[1].error as? DecodingError else {
            throw try #require(damaged[1].error)
        }
        #expect(context.codingPath.map(\.stringValue) == ["title"])
    }

    @Test func itemsAreReportedWithTheirErrorsIfAllOfThemAreDamaged() throws {
        let notes = try notes([old(1, "Eggs"), #"{"id":2,"title":null}"#])
        let text = try sandbox.text("notes.json")
        let error = try #require(expectError(.undecodable) { try notes.load() })
        guard case .typeMismatch(_, let context)? = error.underlying as? DecodingError else {
            throw error
        }
        #expect(context.codingPath.map(\.stringValue) == ["id"])
        #expect(notes.phase == .failed(error))
        #expect(notes.damagedItems.map(\.json) == [old(1, "Eggs"), #"{"id":2,"title":null}"#])
        #expect(notes.damagedItems.allSatisfy { $0.error is DecodingError })
        expectError(.undecodable) { try notes.append(.salt) }
        #expect(notes.damagedItems.count == 2)
        #expect(try sandbox.text("notes.json") == text)
        // Mended by hand.
        try sandbox.write("[\(line(1, "Eggs"))]", to: "notes.json")
        try notes.load()
        #expect(notes.damagedItems.isEmpty && notes.items.count == 1)
    }

    @Test func damagedItemsBecomeItemsAtTheirPositions() throws {
        let notes = try notes([
            old(8, "A"), old(9, "B"), line(1, "Eggs"), old(10, "C"), "7", old(11, "D"),
            line(2, "Milk"), "8",
        ])
        let count = try notes.migrateDamagedItems { damaged in
            [3, 4, 7].contains(damaged.position) ? nil : try migrate(damaged)
        }
        #expect(count == 3)
        #expect(
            try lines() == [
                migrated(8, "A"), migrated(9, "B"), line(1, "Eggs"), old(10, "C"), "7",
                migrated(11, "D"),
                line(2, "Milk"), "8",
            ])
        #expect(notes.items.map(\.id) == [8, 9, 1, 11, 2])
        #expect(notes.damagedItems.map(\.position) == [3, 4, 7])
        #expect(try sandbox.notesOnDisk() == Array(notes.items))
        #expect(try notes.migrateDamagedItems { $0.position == 3 ? try migrate($0) : nil } == 1)
        #expect(try notes.migrateDamagedItems { _ in nil } == 0)
        #expect(notes.items.map(\.id) == [8, 9, 1, 10, 11, 2])
    }

    @Test(arguments: [DirectoryOptions.DamagedItemPolicy.keep, .refuse])
    func collectionIsMigratedIfAllItemsAreDamaged(
        _ policy: DirectoryOptions.DamagedItemPolicy
    ) throws {
        let notes = try notes([old(1, "Eggs"), old(2, "Milk")], .init(damagedItems: policy))
        #expect(try notes.migrateDamagedItems { _ in nil } == 0)
        expectError(.undecodable) { try notes.load() }
        #expect(notes.items.isEmpty && notes.damagedItems.count == 2)
        #expect(try notes.migrateDamagedItems(migrate) == 2)
        #expect(notes.phase == .loaded)
        #expect(Array(notes.items) == [.eggs, .milk])
        #expect(notes.damagedItems.isEmpty)
        try notes.append(.salt)
        #expect(try sandbox.notesOnDisk() == [.eggs, .milk, .salt])
    }

    @Test func migratedItemKeepsWhatItDoesNotWrite() throws {
        let notes = try notes([
            line(1, "Eggs"), #"{"id":"2", "x" : [1.0] ,"title":{"en":"Milk","de":"Milch"}}"#, "[5]",
            #"{"id":4,"title":"Tea","x":1,"x":2}"#,
        ])
        let ids = [1: 2, 2: 3, 3: 4]
        try notes.migrateDamagedItems { damaged in
            try Note(id: #require(ids[damaged.position]), title: "Milk")
        }
        #expect(
            try lines() == [
                line(1, "Eggs"), #"{"id":2,"x" : [1.0],"title":"Milk"}"#, line(3, "Milk"),
                // No item has a key twice.
                line(4, "Milk"),
            ])
        #expect(try sandbox.notesOnDisk() == Array(notes.items))
    }

    @Test func migrationIsAllOrNothing() throws {
        let notes = try notes([old(1, "Eggs"), old(2, "Milk")])
        let text = try sandbox.text("notes.json")
        let duplicate = expectError(.duplicateID) {
            try notes.migrateDamagedItems { _ in Note(id: 1, title: "One") }
        }
        #expect(duplicate?.reason.contains("the id 1") == true)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try notes.migrateDamagedItems { damaged in
                if damaged.position == 1 { throw Stop() }
                return try migrate(damaged)
            }
        }
        #expect(try sandbox.text("notes.json") == text)
        #expect(notes.items.isEmpty)
        expectError(.undecodable) { try notes.append(.salt) }
    }

    @Test func whatTheOptionsRefuseMustNotStay() throws {
        let notes = try notes([old(1, "Eggs"), "7"], .init(damagedItems: .refuse))
        let text = try sandbox.text("notes.json")
        let error = expectError(.undecodable) {
            try notes.migrateDamagedItems { $0.position == 0 ? try migrate($0) : nil }
        }
        #expect(error?.message.contains("migrateDamagedItems") == true)
        #expect(try sandbox.text("notes.json") == text)
        expectError(.undecodable) { try notes.load() }
    }

    @Test func itemsThatWereShownStayIfAnotherVersionReplacesAllAndNothingIsMigrated() throws {
        let notes = try notes([line(1, "Eggs")])
        try notes.load()
        try sandbox.write("[\(old(5, "New"))]", to: "notes.json")
        #expect(try notes.migrateDamagedItems { _ in nil } == 0)
        #expect(Array(notes.items) == [.eggs])
        #expect(notes.damagedItems.map(\.json) == [old(5, "New")])
        expectError(.undecodable) { try notes.append(.salt) }
        #expect(try notes.migrateDamagedItems(migrate) == 1)
        #expect(Array(notes.items) == [Note(id: 5, title: "New")])
    }

    @Test func changesTellOfMigratedItems() async throws {
        let notes = try notes([old(1, "Eggs"), line(2, "Milk")])
        try await notes.load()
        let changes = notes.changes
        #expect(try await notes.migrateDamagedItems { _ in Note(id: 1, title: "Eggs") } == 1)
        #expect(await changes.first(1).first?.inserted == [1])
    }

    @Test(arguments: [false, true])
    func containerKeepsItsFolder(others: Bool) throws {
        let box = others ? #",{"id":2,"folderName":"Two"}"# : ""
        try sandbox.write(#"[{"id":"1","folder":"One"}\#(box)]"#, to: "boxes.json")
        try sandbox.write("[\(line(1, "Eggs"))]", to: "One/notes.json")
        let boxes = try Directory<Box>(at: sandbox.url, index: "boxes.json")
        try boxes.migrateDamagedItems { _ in Box(id: 1, folderName: "One") }
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(try boxes.verify().isEmpty)
        expectError(.nameTaken) { try boxes.append(Box(id: 3, folderName: "one")) }
    }

    @Test func containerCannotTakeTheFolderOfAnotherOne() throws {
        try sandbox.write(#"[{"id":"1"},{"id":2,"folderName":"Two"}]"#, to: "boxes.json")
        let boxes = try Directory<Box>(at: sandbox.url, index: "boxes.json")
        expectError(.nameTaken) {
            try boxes.migrateDamagedItems { _ in Box(id: 1, folderName: "two") }
        }
        expectError(.invalidName) {
            try boxes.migrateDamagedItems { _ in Box(id: 1, folderName: "../x") }
        }
    }

    @Test func photographKeepsItsFile() throws {
        let photos = try sandbox.photos()
        let photo = try photos.insert(Data("jpeg".utf8), name: "a.jpg")
        let text = try sandbox.text("photos.json")
        try sandbox.write(text.replacing(#""byteCount":4"#, with: #""size":4"#), to: "photos.json")
        expectError(.undecodable) { try photos.load() }
        expectError(.assetMissing) {
            try photos.migrateDamagedItems { _ in
                Photo(date: .now, name: "b", fileName: "b.jpg", byteCount: 4)
            }
        }
        #expect(try photos.migrateDamagedItems { _ in photo } == 1)
        #expect(Array(photos.items) == [photo])
        #expect(try photos.verify().isEmpty)
        #expect(try Data(contentsOf: photos.url(of: photo.id)) == Data("jpeg".utf8))
    }

    @Test func migrationInsideAChangeIsRefused() throws {
        let notes = try notes([line(1, "Eggs"), "7"])
        expectError(.nestedWrite) {
            try notes.write { _ in try notes.migrateDamagedItems { _ in nil } }
        }
        expectError(.nestedWrite) {
            try notes.migrateDamagedItems { _ in
                try notes.append(.salt)
                return nil
            }
        }
    }

    @Test func missingCollectionHasNothingToMigrate() throws {
        let notes = try Directory<Note>(at: sandbox.url("none"), index: "notes.json")
        #expect(try notes.migrateDamagedItems { _ in .eggs } == 0)
        #expect(!sandbox.exists("none"))
    }

    @Test func randomIndexesBecomeWhatTheReaderReads() throws {
        var random = SeededGenerator()
        for round in 0..<TestSize.choose(sample: 10, gate: 300, full: 30_000) {
            let elements = (0..<Int.random(in: 1...12, using: &random)).map { number in
                switch Int.random(in: 0..<4, using: &random) {
                case 0: line(number, "Item")
                case 1: line(Int.random(in: 0..<5, using: &random), "Maybe twice")
                default: old(number + 100, "Old")
                }
            }
            let notes = try notes(elements)
            let positions = Set(elements.indices.filter { _ in Bool.random(using: &random) })
            let place: Comment = "\(random), round \(round)"
            _ = try? notes.load()
            let damaged = notes.damagedItems
            for item in damaged { #expect(elements[item.position] == item.json, place) }
            let chosen = damaged.filter { positions.contains($0.position) && $0.error != nil }
            let count = try notes.migrateDamagedItems { damaged in
                chosen.contains(damaged) ? try migrate(damaged) : nil
            }
            #expect(count == chosen.count, place)
            var expected = elements
            for item in chosen { expected[item.position] = migrated(item.position + 100, "Old") }
            #expect(try lines() == expected, place)
            guard (try? notes.load()) != nil else { continue }
            let other = try Directory<OtherNote>(at: sandbox.url, index: "notes.json")
            try other.load()
            #expect(other.items.map(\.id) == notes.items.map(\.id), place)
            #expect(other.damagedItems == notes.damagedItems, place)
        }
    }
}
