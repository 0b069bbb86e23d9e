import Directory
import DirectoryTestSupport
import Foundation
import StoreModel
import TestSupport
import Testing

/// What people are told about names: one reason, and what to do about this one.
struct NameMessageTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.twoBoxes()
    }

    @Test(arguments: [
        ("", "it is empty", "of at least one character"),
        ("a/b", "it has a slash", "without a slash"),
        ("a\0b", "it has a NUL character", "without a NUL character"),
        (".hidden", "it begins with a dot", "that does not begin with a dot"),
        ("..", "it begins with a dot", "that does not begin with a dot"),
        ("One.recovered", "it ends in .recovered", "that does not end in .recovered"),
    ])
    func invalidNameHasOneReason(_ name: String, _ reason: String, _ demand: String) throws {
        let shown = name.replacing("\0", with: "␀")
        expectText(
            .invalidName, "Cannot use the name “\(shown)”: \(reason).", "Choose a name \(demand)."
        ) { try boxes.append(Box(id: 3, folderName: name)) }
        let error = expectError(.invalidName) {
            try boxes.append(Box(id: 3, folderName: name))
        }
        #expect(error?.url.lastPathComponent == sandbox.url.lastPathComponent)
        #expect(error?.message.hasSuffix(", or make one with safeFolderName().") == true)
    }

    @Test func longNameIsShortened() throws {
        expectText(
            .invalidName,
            "Cannot use the name “xxxxxxxxxxxxxxxxxxxx…”: it has 400 bytes, and 249 are allowed.",
            "Choose a name that is shorter."
        ) { try boxes.append(Box(id: 3, folderName: String(repeating: "x", count: 400))) }
    }

    @Test func fileNameOfAnAsset() throws {
        let pieces = try sandbox.pieces("store")
        try sandbox.write("bytes", to: "store/pieces/a.txt")
        try pieces.append(Piece(id: 1, fileName: "a.txt"))
        expectText(
            .invalidName, "Cannot use the name “.a”: it begins with a dot.",
            "Choose a name that does not begin with a dot."
        ) { try pieces.append(Piece(id: 2, fileName: ".a")) }
        expectText(
            .invalidName,
            "Cannot update an item of “pieces”: the name of its file cannot be changed.",
            "Import the file again."
        ) { try pieces.update(Piece(id: 1, fileName: "b.txt")) }
    }

    @Test func nameTaken() throws {
        let advice = "Choose another name, or move the file or folder that has it."
        try sandbox.write("mine", to: "Three")
        for (name, shown) in [("One", "One"), ("Three", "Three"), ("boxes.json", "boxes")] {
            expectText(
                .nameTaken, "Cannot use the name “\(shown)”: something else has it already.", advice
            ) { try boxes.append(Box(id: 3, folderName: name)) }
        }
        expectText(
            .nameTaken, "Cannot use the name “One”: something else has it already.", advice
        ) {
            let other = try sandbox.boxes("other")
            try other.append(Box(id: 9, folderName: "One"))
            try boxes.transfer([1], to: other)
        }
        expectText(
            .nameTaken, "Cannot copy to “Three”: there is something with this name.", advice
        ) { try boxes.copy(to: sandbox.url("Three")) }
    }

    @Test func nameOfAnIndexThatItemsMayOwn() throws {
        expectText(
            .nameTaken,
            "Cannot use the name “One”: "
                + "it may belong to an item of another collection in the folder.",
            "Choose another name, or move the file or folder that has it."
        ) { try Directory<Note>(at: sandbox.url, index: "One.json").append(.eggs) }
    }

    @Test(arguments: [
        ("notes.db", "notes.db"), (".json", ""), ("a/b.json", "a/b"),
        ("a.recovered.json", "a.recovered"),
    ])
    func nameOfAnIndex(_ name: String, _ shown: String) throws {
        expectText(.invalidLocation, "Cannot use “\(shown)”: its place cannot be used.", mistake) {
            _ = try Directory<Note>(at: sandbox.url, index: name)
        }
    }

    @Test func placeOfACollection() throws {
        let web = try #require(URL(string: "https://example.org/store"))
        expectText(
            .invalidLocation, "Cannot use “store”: its place cannot be used.",
            mistake
        ) { _ = try Directory<Note>(at: web, index: "notes.json") }
        expectText(
            .invalidLocation, "Cannot copy to “store”: its place cannot be used.",
            mistake
        ) { try boxes.copy(to: web) }
    }

    @Test func copyInsideItself() throws {
        let url = sandbox.url("One/backup")
        expectText(
            .invalidLocation, "Cannot copy to “backup”: it is inside what is copied.",
            "Choose another place."
        ) { try boxes.copy(to: url) }
        let error = expectError(.invalidLocation) { try boxes.copy(to: url) }
        #expect(error?.message.contains("index name") == false)
    }

    @Test func transferIntoItself() throws {
        expectText(
            .invalidLocation, "Cannot move “One”: a folder cannot be moved into itself.",
            "Choose a place that is not in this folder."
        ) { try boxes.transfer([1], to: boxes.child(.parts, of: 1)) }
    }

    /// People have to know the hidden name, because they have to move what has it.
    @Test func fileInTheWayOfAHiddenFolder() throws {
        try sandbox.write("mine", to: ".staging")
        expectText(
            .nameTaken,
            "Cannot change “boxes”: a file has the name .staging, which it needs for a folder.",
            "Move or rename what has the name."
        ) { try boxes.remove(id: 1) }
    }
}
