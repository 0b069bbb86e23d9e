import Directory
import DirectoryTestSupport
import Foundation
import StoreModel
import TestSupport
import Testing

/// What people are told about items: not their ids and types.
struct ItemMessageTests {
    let sandbox: Sandbox
    let notes: Directory<Note>

    private struct Weight: Codable, Identifiable, Sendable {
        var id: Double
        var grams: Double
    }

    init() throws {
        sandbox = try Sandbox()
        notes = try Directory(at: sandbox.url, index: "notes.json")
        try notes.append(contentsOf: [.eggs, .milk])
    }

    @Test func itemNotFound() throws {
        let advice = "It may have been removed elsewhere: look at what is there now."
        expectText(
            .itemNotFound, "Cannot remove an item of “notes”: the item is not there.", advice
        ) { try notes.remove(id: 7) }
        expectText(
            .itemNotFound, "Cannot update an item of “notes”: the item is not there.", advice
        ) { try notes.update(.salt) }
        let boxes = try sandbox.twoBoxes()
        expectText(
            .itemNotFound,
            "Cannot open the folder of an item of “boxes”: the item is not there.", advice
        ) { _ = try boxes.child(.notes, of: 7) }
        expectText(
            .itemNotFound,
            "Cannot find the folder of an item of “boxes”: the item is not there.", advice
        ) { _ = try boxes.folder(of: 7) }
        expectText(
            .itemNotFound, "Cannot move items from “boxes”: the item is not there.", advice
        ) { try boxes.transfer([7], to: sandbox.boxes("other")) }
        expectText(
            .itemNotFound,
            "Cannot find the file of an item of “photos”: the item is not there.", advice
        ) { _ = try sandbox.photos().data(of: UUID()) }
    }

    @Test func duplicateID() throws {
        expectText(
            .duplicateID, "Cannot add to “notes”: it has the item already.",
            "Change the item that is there already."
        ) { try notes.append(.eggs) }
        expectText(
            .duplicateID,
            "Cannot update an item of “notes”: the item would become another one.", mistake
        ) { try notes.update(id: 1) { $0.id = 9 } }
        try sandbox.write(#"[{"id":1,"title":"Eggs"},{"id":5,"name":"Tea"}]"#, to: "new.json")
        let newer = try Directory<Note>(at: sandbox.url, index: "new.json")
        expectText(
            .duplicateID,
            "Cannot add to “new”: "
                + "it has the item already, in a form that this version of the app cannot read.",
            "Open it with the version of the app that wrote it."
        ) { try newer.append(Note(5)) }
    }

    @Test func invalidID() throws {
        let weights = try Directory<Weight>(at: sandbox.url, index: "weights.json")
        expectText(
            .invalidID, "Cannot save an item of “weights”: the item cannot be told from others.",
            mistake
        ) { try weights.append(Weight(id: .nan, grams: 1)) }
        let draft = try #require(notes.edit(1))
        draft.item.id = 9
        expectText(
            .invalidID,
            "Cannot save an edit of an item of “notes”: the item would become another one.",
            mistake
        ) { try draft.save() }
    }

    @Test func itemChanged() throws {
        let draft = try #require(notes.edit(1))
        draft.item.title = "Six eggs"
        try Directory<OtherNote>(at: sandbox.url, index: "notes.json")
            .update(id: 1) { $0.title = "No eggs" }
        expectText(
            .itemChanged,
            "Cannot save an edit of an item of “notes”: "
                + "the item was changed elsewhere in the meantime.",
            "Look at the item as it is now, and edit it again."
        ) { try draft.save() }
    }

    @Test func indexOutOfRange() throws {
        expectText(
            .indexOutOfRange, "Cannot insert into “notes”: it has fewer items.", mistake
        ) { try notes.insert(.salt, at: 3) }
        expectText(
            .indexOutOfRange, "Cannot move items of “notes”: it has fewer items.", mistake
        ) { try notes.move(fromOffsets: [4], toOffset: 0) }
        expectText(
            .indexOutOfRange, "Cannot move items of “notes”: it has fewer items.", mistake
        ) { try notes.write { try $0.move(fromOffsets: [4], toOffset: 0) } }
    }

    @Test func sortedResults() throws {
        let sorted = notes.results(sortedBy: KeyPathComparator(\.title))
        expectText(
            .sortedResults, "Cannot move items of “notes”: the items are sorted.", mistake
        ) { try sorted.move(fromOffsets: [0], toOffset: 2) }
    }

    @Test func unencodable() throws {
        let weights = try Directory<Weight>(at: sandbox.url, index: "weights.json")
        expectText(
            .unencodable,
            "Cannot save an item of “weights”: one of its values cannot be saved.", mistake
        ) { try weights.append(Weight(id: 1, grams: .infinity)) }
        let error = expectError(.unencodable) {
            try weights.append(Weight(id: 1, grams: .infinity))
        }
        #expect(
            error?.reason == "item 1.0: grams: Unable to encode Double.inf directly in JSON")
    }

    @Test func nestedWrite() throws {
        expectText(
            .nestedWrite,
            "Cannot change “notes”: the app has not finished what it was doing with it.",
            mistake
        ) { try notes.write { _ in try notes.append(.salt) } }
    }

    @Test func closed() throws {
        try notes.close()
        expectText(.closed, "Cannot use “notes”: it was closed.", "Open it again.") {
            try notes.append(.salt)
        }
    }

    @Test func optionsDiffer() throws {
        expectText(
            .optionsDiffer,
            "Cannot open “notes”: the app has opened it in another way.", mistake
        ) {
            _ = try Directory<Note>(
                at: sandbox.url, index: "notes.json", options: .init(undoLimit: 7))
        }
    }
}
