import Directory
import DirectoryTestSupport
import Foundation
import StoreModel
import TestSupport
import Testing

/// What people are told if a change cannot be undone or made again.
struct UndoMessageTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>
    private let others: Directory<OtherBox>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.boxes(options: DirectoryOptions(undoLimit: 9))
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        others = try Directory<OtherBox>(at: sandbox.url, index: "boxes.json")
    }

    @Test func undoConflict() throws {
        let advice = "Look at the items as they are now, and change them by hand."
        try boxes.update(id: 2) { $0.folderName = "Three" }
        try others.update(id: 2) { $0.folderName = "Four" }
        expectText(
            .undoConflict,
            "Cannot undo a change of “boxes”: the item was changed or removed since.", advice
        ) { try boxes.undo() }
        try others.update(id: 2) { $0.folderName = "Three" }
        try boxes.undo()
        try others.remove(id: 2)
        expectText(
            .undoConflict,
            "Cannot redo a change of “boxes”: the item was changed or removed since.", advice
        ) { try boxes.redo() }
    }

    @Test func folderThatWasFilledSince() throws {
        try boxes.append(Box(id: 3, folderName: "Three"))
        try sandbox.write("mine", to: "Three/mine.txt")
        expectText(
            .undoConflict,
            "Cannot undo a change of “boxes”: "
                + "something in the folder “Three” was added or changed since.",
            "Look at the items as they are now, and change them by hand."
        ) { try boxes.undo() }
    }

    @Test(arguments: [true, false]) func nameThatSomethingElseHas(_ isItem: Bool) throws {
        let advice = "Rename or remove what has the name, then try again."
        func take(_ name: String) throws {
            if isItem { return try others.append(OtherBox(id: 9, folderName: name)) }
            try sandbox.write("mine", to: name)
        }
        func free(_ name: String) throws {
            try isItem ? others.remove(id: 9) : sandbox.remove(name)
        }
        try boxes.update(id: 2) { $0.folderName = "Three" }
        try take("Two")
        expectText(
            .nameTaken,
            "Cannot undo a change of “boxes”, which needs the name “Two”: "
                + "something else has it already.", advice
        ) { try boxes.undo() }
        try free("Two")
        try boxes.undo()
        try take("Three")
        expectText(
            .nameTaken,
            "Cannot redo a change of “boxes”, which needs the name “Three”: "
                + "something else has it already.", advice
        ) { try boxes.redo() }
        try free("Three")
        try boxes.redo()
        #expect(boxes.items.map(\.folderName) == ["One", "Three"])
    }
}
