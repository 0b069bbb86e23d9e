import Directory
import Foundation
import TestSupport
import Testing

@Suite struct FolderNameTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.boxes()
        try boxes.append(Box(id: 1, folderName: "One"))
    }

    /// Expects that `body` fails with `code` and leaves disk and memory as they are.
    private func expectNothing(
        but code: DirectoryError.Code, at location: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) throws {
        let (tree, items) = try (sandbox.tree(), Array(boxes.items))
        expectError(code, sourceLocation: location, body)
        #expect(try sandbox.tree() == tree, sourceLocation: location)
        #expect(Array(boxes.items) == items, sourceLocation: location)
        #expect(try sandbox.leftovers().isEmpty, sourceLocation: location)
    }

    static let hostileNames = [
        "", ".", "..", "/", "a/b", "../x", "/etc", "a\0b", "\0", ".hidden", ".staging", ".trash",
        ".boxes.lock", String(repeating: "x", count: 256), String(repeating: "\u{E9}", count: 128),
    ]

    @Test(arguments: hostileNames) func hostileNameIsRefused(_ name: String) throws {
        try expectNothing(but: .invalidName) { try boxes.append(Box(id: 2, folderName: name)) }
        try expectNothing(but: .invalidName) { try boxes.update(Box(id: 1, folderName: name)) }
    }

    @Test(arguments: ["One", "one", "ONE"]) func nameOfAnotherItemIsTaken(_ name: String) throws {
        try expectNothing(but: .nameTaken) { try boxes.append(Box(id: 2, folderName: name)) }
        try boxes.append(Box(id: 3, folderName: "Three"))
        try expectNothing(but: .nameTaken) { try boxes.update(Box(id: 3, folderName: name)) }
    }

    @Test(arguments: [("\u{C4}", "A\u{308}"), ("A\u{308}", "\u{E4}"), ("\u{DF}", "SS")])
    func nameIsTakenWhateverItsNormalisation(_ names: (String, String)) throws {
        try boxes.append(Box(id: 2, folderName: names.0))
        try expectNothing(but: .nameTaken) { try boxes.append(Box(id: 3, folderName: names.1)) }
    }

    @Test(arguments: ["boxes.json", "Boxes.JSON"]) func nameOfTheIndexIsTaken(_ name: String) throws
    {
        try expectNothing(but: .nameTaken) { try boxes.append(Box(id: 2, folderName: name)) }
        try expectNothing(but: .nameTaken) { try boxes.update(Box(id: 1, folderName: name)) }
    }

    @Test func twoNewItemsCannotShareAName() throws {
        try expectNothing(but: .nameTaken) {
            try boxes.append(contentsOf: [
                Box(id: 2, folderName: "same"), Box(id: 3, folderName: "SAME"),
            ])
        }
    }

    @Test func unknownFilesKeepTheirNames() throws {
        try sandbox.write("mine", to: "file")
        try sandbox.write("mine", to: "folder/mine.txt")
        try sandbox.makeLink("link", to: sandbox.makeFolder("empty"))
        for name in ["file", "folder", "link"] {
            try expectNothing(but: .nameTaken) { try boxes.append(Box(id: 2, folderName: name)) }
            try expectNothing(but: .nameTaken) { try boxes.update(Box(id: 1, folderName: name)) }
        }
    }

    @Test func emptyFolderIsAdopted() throws {
        try sandbox.makeFolder("empty")
        try boxes.append(Box(id: 2, folderName: "empty"))
        try boxes.child(.notes, of: 2).append(.eggs)
        #expect(sandbox.exists("empty/notes.json"))
    }

    @Test func nameThatAChangeFreesCanBeGivenByALaterOneOnly() throws {
        try expectNothing(but: .nameTaken) {
            try boxes.write { draft in
                try draft.remove(id: 1)
                try draft.append(Box(id: 2, folderName: "one"))
            }
        }
        try boxes.remove(id: 1)
        try boxes.append(Box(id: 2, folderName: "one"))
        #expect(sandbox.exists("one"))
    }
}
