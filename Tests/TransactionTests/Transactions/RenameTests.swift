import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

struct RenameTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.twoBoxes()
    }

    @Test(arguments: ["Three", "one", "ONE", "Two\u{301}"])
    func folderIsRenamedWithItsItem(_ name: String) throws {
        let notes = try boxes.child(.notes, of: 1)
        try boxes.update(id: 1) { $0.folderName = name }
        #expect(!sandbox.exists("One"))
        #expect(sandbox.exists("\(name)/notes.json"))
        #expect(try boxes.folder(of: 1).path == sandbox.url(name).path)
        try notes.append(.salt)
        #expect(try boxes.notes(of: 1) == [.eggs, .salt])
        #expect(try sandbox.leftovers().isEmpty)
        #expect(try boxes.verify().isEmpty)
    }

    @Test func folderIsRenamedInNormalisationOnly() throws {
        try boxes.append(Box(id: 3, folderName: "\u{C4}"))
        try boxes.child(.notes, of: 3).append(.salt)
        try boxes.update(id: 3) { $0.folderName = "A\u{308}" }
        #expect(!sandbox.exists("\u{C4}"))
        #expect(try boxes.notes(of: 3) == [.salt])
        #expect(try boxes.verify().isEmpty)
    }

    @Test func renameToATakenNameChangesNothing() throws {
        let tree = try sandbox.tree()
        for name in ["Two", "two"] {
            expectError(.nameTaken) { try boxes.update(id: 1) { $0.folderName = name } }
        }
        #expect(try sandbox.tree() == tree)
        #expect(boxes[id: 1]?.folderName == "One")
    }

    @Test func renameInCaseOnlyToAnUnknownFolderChangesNothing() throws {
        try sandbox.write("mine", to: "one/mine.txt")
        let tree = try sandbox.tree()
        expectError(.nameTaken) { try boxes.update(id: 1) { $0.folderName = "one" } }
        #expect(try sandbox.tree() == tree)
        #expect(try boxes.notes(of: 1) == [.eggs])
    }

    @Test func renameInCaseOnlyReplacesAnEmptyFolder() throws {
        try FileManager.default.createDirectory(
            at: sandbox.url("one"), withIntermediateDirectories: true)
        try boxes.update(id: 1) { $0.folderName = "one" }
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(!sandbox.exists("One"))
        #expect(try boxes.verify().isEmpty)
    }

    @Test func twoFoldersAreRenamedInOneWrite() throws {
        try boxes.write { draft in
            try draft.update(Box(id: 1, folderName: "Four"))
            try draft.update(Box(id: 2, folderName: "TWO"))
        }
        #expect(sandbox.exists("Four/notes.json") && sandbox.exists("TWO/notes.json"))
        #expect(try boxes.verify().isEmpty)
    }

    @Test func failedRenameUndoesTheOtherRenames() throws {
        try sandbox.write("mine", to: "two/mine.txt")
        let tree = try sandbox.tree()
        expectError(.nameTaken) {
            try boxes.write { draft in
                try draft.update(Box(id: 1, folderName: "Four"))
                try draft.update(Box(id: 2, folderName: "two"))
            }
        }
        #expect(try sandbox.tree() == tree)
        #expect(boxes.folderNames == [1: "One", 2: "Two"])
    }

    @Test func openChildFollowsARenameByAnotherProcess() throws {
        let notes = try boxes.child(.notes, of: 1)
        let other = try Directory<OtherBox>(at: sandbox.url, index: "boxes.json")
        try other.update(id: 1) { $0.folderName = "Elsewhere" }
        try notes.append(.salt)
        #expect(try sandbox.text("Elsewhere/notes.json").contains("Salt"))
        #expect(boxes[id: 1]?.folderName == "Elsewhere")
        #expect(!sandbox.exists("One"))
    }

    @Test func renameOfAMissingFolderRenamesTheItem() throws {
        try sandbox.remove("One")
        try boxes.update(id: 1) { $0.folderName = "Three" }
        try boxes.child(.notes, of: 1).append(.salt)
        #expect(sandbox.exists("Three/notes.json"))
        #expect(!sandbox.exists("One"))
    }
}

extension Directory<Box> {
    /// The folder name of each item by its id.
    fileprivate var folderNames: [Int: String] {
        Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.folderName) })
    }
}
