import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

struct FolderNameTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.boxes()
        try boxes.append(Box(id: 1, folderName: "One"))
    }

    /// Expects that `body` fails with `code` and changes neither the disk nor memory.
    private func expectRefusal(
        _ code: DirectoryError.Code, at location: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) throws {
        let (tree, items) = try (sandbox.tree(), Array(boxes.items))
        expectError(code, sourceLocation: location, body)
        #expect(try sandbox.tree() == tree, sourceLocation: location)
        #expect(Array(boxes.items) == items, sourceLocation: location)
        #expect(try sandbox.leftovers().isEmpty, sourceLocation: location)
    }

    static let invalidNames = [
        "", ".", "..", "/", "a/b", "../x", "/etc", "a\0b", "\0", ".hidden", ".staging", ".trash",
        ".boxes.lock", String(repeating: "x", count: 256), String(repeating: "\u{E9}", count: 128),
    ]

    @Test(arguments: invalidNames) func invalidNameIsRefused(_ name: String) throws {
        try expectRefusal(.invalidName) { try boxes.append(Box(id: 2, folderName: name)) }
        try expectRefusal(.invalidName) { try boxes.update(Box(id: 1, folderName: name)) }
    }

    @Test(arguments: [250, 255, 400]) func tooLongANameSaysBothLengths(_ count: Int) throws {
        try expectRefusal(.invalidName) {
            try boxes.append(Box(id: 2, folderName: String(repeating: "x", count: count)))
        }
        let error = expectError(.invalidName) {
            try boxes.append(Box(id: 2, folderName: String(repeating: "\u{E9}", count: 200)))
        }
        #expect(error?.message.contains("400 bytes") == true)
        #expect(error?.message.contains("249") == true)
    }

    @Test func longestNameIsAccepted() throws {
        let name = String(repeating: "x", count: 249)
        try boxes.append(Box(id: 2, folderName: name))
        try boxes.child(.notes, of: 2).append(.eggs)
        try boxes.update(Box(id: 2, folderName: name.uppercased()))
        try boxes.remove(id: 2)
        #expect(try boxes.verify() == [])
    }

    @Test(arguments: ["One", "one", "ONE"]) func nameOfAnotherItemIsTaken(_ name: String) throws {
        try expectRefusal(.nameTaken) { try boxes.append(Box(id: 2, folderName: name)) }
        try boxes.append(Box(id: 3, folderName: "Three"))
        try expectRefusal(.nameTaken) { try boxes.update(Box(id: 3, folderName: name)) }
    }

    @Test(arguments: [("\u{C4}", "A\u{308}"), ("A\u{308}", "\u{E4}"), ("\u{DF}", "SS")])
    func nameIsTakenInAnyNormalisation(_ names: (String, String)) throws {
        try boxes.append(Box(id: 2, folderName: names.0))
        try expectRefusal(.nameTaken) { try boxes.append(Box(id: 3, folderName: names.1)) }
    }

    @Test(arguments: ["boxes.json", "Boxes.JSON"]) func nameOfTheIndexIsTaken(_ name: String) throws
    {
        try expectRefusal(.nameTaken) { try boxes.append(Box(id: 2, folderName: name)) }
        try expectRefusal(.nameTaken) { try boxes.update(Box(id: 1, folderName: name)) }
    }

    @Test func twoNewItemsCannotShareAName() throws {
        try expectRefusal(.nameTaken) {
            try boxes.append(contentsOf: [
                Box(id: 2, folderName: "same"), Box(id: 3, folderName: "SAME"),
            ])
        }
    }

    @Test func nameOfAnUnknownFileOrFolderIsTaken() throws {
        try sandbox.write("mine", to: "file")
        try sandbox.write("mine", to: "folder/mine.txt")
        try sandbox.makeSymbolicLink("link", to: sandbox.makeFolder("empty"))
        for name in ["file", "folder", "link"] {
            try expectRefusal(.nameTaken) { try boxes.append(Box(id: 2, folderName: name)) }
            try expectRefusal(.nameTaken) { try boxes.update(Box(id: 1, folderName: name)) }
        }
    }

    @Test func emptyFolderMakesWayForARename() throws {
        try boxes.child(.notes, of: 1).append(.eggs)
        try sandbox.makeFolder("empty")
        try boxes.update(Box(id: 1, folderName: "empty"))
        #expect(sandbox.exists("empty/notes.json"))
        #expect(!sandbox.exists("One"))
    }

    @Test func emptyFolderIsAdopted() throws {
        try sandbox.makeFolder("empty")
        try boxes.append(Box(id: 2, folderName: "empty"))
        try boxes.child(.notes, of: 2).append(.eggs)
        #expect(sandbox.exists("empty/notes.json"))
    }

    @Test func nameOfARemovedItemIsFree() throws {
        try boxes.remove(id: 1)
        try boxes.append(Box(id: 2, folderName: "one"))
        #expect(sandbox.exists("one"))
    }
}
