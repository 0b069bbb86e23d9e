import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Folder names that change hands in one write.
@Suite(.timeLimit(.minutes(30))) struct NamesAtTheEndTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.twoBoxes()
        try boxes.append(Box(id: 3, folderName: "Three"))
        for id in 1...3 { try boxes.child(.photos, of: id).insert(Data("\(id)".utf8)) }
    }

    /// The boxes with what is in their first photograph, by their folder names.
    private func contents(_ boxes: Directory<Box>) throws -> [String: String] {
        var found: [String: String] = [:]
        for box in boxes.items {
            let photos = try boxes.child(.photos, of: box.id)
            try photos.load()
            let data = try photos.items.first.map { try photos.data(of: $0.id) }
            found[box.folderName] = data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return found
    }

    private func expectContents(
        _ expected: [String: String], at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try contents(boxes) == expected, sourceLocation: location)
        // Waits for deletions in the background.
        try boxes.checkpoint()
        #expect(try boxes.verify() == [], sourceLocation: location)
        #expect(try sandbox.leftovers().isEmpty, sourceLocation: location)
    }

    @Test func twoBoxesSwapTheirNames() throws {
        let photos = try boxes.child(.photos, of: 1)
        try boxes.write { draft in
            try draft.update(id: 1) { $0.folderName = "Two" }
            try draft.update(id: 2) { $0.folderName = "One" }
        }
        try expectContents(["Two": "1", "One": "2", "Three": "3"])
        // An open child follows its item.
        try photos.insert(Data("new".utf8))
        #expect(try boxes.folder(of: 1).lastPathComponent == "Two")
    }

    @Test func threeBoxesRotateTheirNamesAlsoInCase() throws {
        try boxes.write { draft in
            try draft.update(id: 1) { $0.folderName = "TWO" }
            try draft.update(id: 2) { $0.folderName = "three" }
            try draft.update(id: 3) { $0.folderName = "One" }
        }
        try expectContents(["TWO": "1", "three": "2", "One": "3"])
    }

    @Test(arguments: [false, true]) func aChainOfNamesMovesOn(isBackwards: Bool) throws {
        let names = [(1, "Two"), (2, "Three"), (3, "Four")]
        try boxes.write { draft in
            for (id, name) in isBackwards ? names.reversed() : names {
                try draft.update(id: id) { $0.folderName = name }
            }
        }
        try expectContents(["Two": "1", "Three": "2", "Four": "3"])
    }

    @Test func aNewBoxGetsTheNameOfARemovedOne() throws {
        try boxes.write { draft in
            try draft.remove(id: 1)
            try draft.append(Box(id: 4, folderName: "One"))
        }
        try expectContents(["One": "", "Two": "2", "Three": "3"])
    }

    @Test func aBoxGetsTheNameOfARemovedOneAndANewBoxItsOwn() throws {
        try boxes.write { draft in
            try draft.append(Box(id: 4, folderName: "Two"))
            try draft.update(id: 2) { $0.folderName = "one" }
            try draft.remove(id: 1)
        }
        try expectContents(["one": "2", "Two": "", "Three": "3"])
    }

    @Test func twoItemsStillCannotHaveOneName() throws {
        let tree = try sandbox.tree()
        expectError(.nameTaken) {
            try boxes.write { draft in
                try draft.update(id: 1) { $0.folderName = "Two" }
                try draft.update(id: 2) { $0.folderName = "One" }
                try draft.append(Box(id: 4, folderName: "two"))
            }
        }
        #expect(try sandbox.tree() == tree)
        try expectContents(["One": "1", "Two": "2", "Three": "3"])
    }

    @Test func anUnknownFolderKeepsItsName() throws {
        try sandbox.write("mine", to: "Four/mine.txt")
        let tree = try sandbox.tree()
        expectError(.nameTaken) {
            try boxes.write { draft in
                try draft.update(id: 1) { $0.folderName = "Two" }
                try draft.update(id: 2) { $0.folderName = "Four" }
            }
        }
        #expect(try sandbox.tree() == tree)
    }

    @Test func anUndoGivesTheNamesBackWithWhatWasInTheFolders() throws {
        let boxes = try Directory<OtherBox>(
            at: sandbox.url, index: "boxes.json", options: .init(undoLimit: 10))
        let tree = {
            // Waits for deletions in the background.
            try boxes.checkpoint()
            return try sandbox.visibleTree(self.boxes)
        }
        let before = try tree()
        try boxes.write { draft in
            try draft.remove(id: 1)
            try draft.update(id: 2) { $0.folderName = "One" }
            try draft.append(.init(id: 4, folderName: "Two"))
        }
        let after = try tree()
        for _ in 0..<3 {
            try boxes.undo()
            #expect(try tree() == before)
            try boxes.redo()
            #expect(try tree() == after)
        }
        try boxes.undo()
        // The history keeps files in the trash.
        try boxes.close()
        try expectContents(["One": "1", "Two": "2", "Three": "3"])
    }

    /// Any permutation of names, with removed and new boxes between, gives what a model says.
    @Test func randomChangesOfNamesGiveWhatTheModelSays() throws {
        var random = SeededGenerator()
        var model = ["One": "1", "Two": "2", "Three": "3"]
        var nextID = 10
        for _ in 0..<TestSize.choose(sample: 10, gate: 60, full: 1_000) {
            let items = Array(boxes.items)
            var names = ["One", "Two", "Three", "Four", "Five"].shuffled(using: &random)
            var next: [String: String] = [:]
            try boxes.write { draft in
                for box in items {
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        try draft.remove(id: box.id)
                        continue
                    }
                    let name = names.removeLast()
                    try draft.update(id: box.id) { $0.folderName = name }
                    next[name] = model[box.folderName]
                }
                if draft.items.count < 4, let name = names.popLast() {
                    try draft.append(Box(id: nextID, folderName: name))
                    next[name] = ""
                    nextID += 1
                }
            }
            model = next
            try expectContents(model)
        }
    }
}
