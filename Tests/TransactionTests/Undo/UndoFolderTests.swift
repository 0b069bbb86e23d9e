import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Undo of changes that remove, make or rename the folders of containers.
struct UndoFolderTests {
    let sandbox: Sandbox
    private let options = DirectoryOptions(undoLimit: 10)

    init() throws { sandbox = try Sandbox() }

    /// Two boxes, each with a note and a photograph, that cannot be undone.
    private func boxes() throws -> Directory<Box> {
        do {
            let boxes = try sandbox.twoBoxes()
            for id in 1...2 {
                try boxes.child(.photos, of: id).insert(Data("photo \(id)".utf8))
            }
        }
        return try sandbox.boxes(options: options)
    }

    @Test func removedContainerComesBackWithEverythingInIt() throws {
        let boxes = try boxes()
        let before = try sandbox.visibleTree(boxes)
        let notes = try boxes.child(.notes, of: 1)
        try boxes.remove(id: 1)
        #expect(!sandbox.exists("One"))
        expectError(.containerRemoved) { try notes.append(.salt) }
        try boxes.undo()
        #expect(try sandbox.visibleTree(boxes) == before)
        #expect(try boxes.notes(of: 1) == [.eggs])
        // What was open in the folder is so again.
        try notes.append(.salt)
        try notes.remove(id: Note.salt.id)
        try boxes.redo()
        #expect(!sandbox.exists("One"))
        try boxes.undo()
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(try boxes.verify().isEmpty)
    }

    /// A hidden file that is not one of the library is somebody's.
    @Test(arguments: [".draft.tmp", ".new", "draft"])
    func newFolderWithAFileOfOthersStays(_ name: String) throws {
        let boxes = try boxes()
        try boxes.append(Box(id: 3, folderName: "Three"))
        try sandbox.write("foreign", to: "Three/\(name)")
        expectError(.undoConflict) { try boxes.undo() }
        #expect(try sandbox.text("Three/\(name)") == "foreign")
        try sandbox.remove("Three/\(name)")
        try boxes.undo()
        #expect(!sandbox.exists("Three"))
    }

    @Test func renamedFolderGetsItsNameBack() throws {
        let boxes = try boxes()
        let before = try sandbox.visibleTree(boxes)
        try boxes.update(Box(id: 1, folderName: "Uno"))
        try boxes.update(Box(id: 1, folderName: "uno"))
        try boxes.undo()
        try boxes.undo()
        #expect(try sandbox.visibleTree(boxes) == before)
        try boxes.redo()
        try boxes.redo()
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(sandbox.exists("uno"))
    }

    @Test func oneCommitThatRemovesAddsAndRenamesContainersIsUndone() throws {
        let boxes = try boxes()
        let before = try sandbox.visibleTree(boxes)
        try boxes.write { draft in
            try draft.remove(id: 1)
            try draft.update(Box(id: 2, folderName: "Zwei"))
            try draft.insert(Box(id: 3, folderName: "Three"), at: 0)
        }
        let after = try sandbox.visibleTree(boxes)
        for _ in 0..<3 {
            try boxes.undo()
            #expect(try sandbox.visibleTree(boxes) == before)
            #expect(try boxes.verify().isEmpty)
            try boxes.redo()
            #expect(try sandbox.visibleTree(boxes) == after)
            #expect(try boxes.verify().isEmpty)
        }
    }

    @Test func folderNameThatIsUsedAgainIsNoObstacleInOrder() throws {
        let boxes = try boxes()
        let before = try sandbox.visibleTree(boxes)
        try boxes.remove(id: 1)
        try boxes.append(Box(id: 9, folderName: "One"))
        let notes = try boxes.child(.notes, of: 9)
        try notes.append(.salt)
        try boxes.remove(id: 9)
        try boxes.undo()
        #expect(try boxes.notes(of: 9) == [.salt])
        try notes.undo()
        try boxes.undo()
        try boxes.undo()
        #expect(try sandbox.visibleTree(boxes) == before)
        try boxes.redo()
        try boxes.redo()
        try notes.redo()
        #expect(try boxes.notes(of: 9) == [.salt])
    }

    /// A child that is closed while its container is away, or after it came back, leaves nothing of
    /// what its own undo kept.
    @Test(arguments: [false, true])
    func closedChildLeavesNothingInAContainerThatComesBack(_ closesWhileAway: Bool) throws {
        let boxes = try boxes()
        let photos = try boxes.child(.photos, of: 1)
        try photos.load()
        try photos.remove(id: photos.items[0].id)
        try boxes.remove(id: 1)
        if closesWhileAway { try photos.close() }
        try boxes.undo()
        if !closesWhileAway { try photos.close() }
        let again = try boxes.child(.photos, of: 1)
        #expect(try again.verify().isEmpty)
        try again.close()
        #expect(try sandbox.leftovers("One").isEmpty)
    }

    @Test func folderNameThatOthersUseIsTaken() throws {
        let boxes = try boxes()
        try boxes.remove(id: 1)
        let others = try Directory<OtherBox>(at: sandbox.url, index: "boxes.json")
        try others.append(OtherBox(id: 9, folderName: "One"))
        try others.child(.notes, of: 9).append(.salt)
        let before = try sandbox.visibleTree(boxes)
        expectError(.nameTaken) { try boxes.undo() }
        #expect(try sandbox.visibleTree(boxes) == before)
        try others.remove(id: 9)
        try boxes.undo()
        #expect(try boxes.notes(of: 1) == [.eggs])
    }

    @Test func emptyFolderWithTheNameOfARemovedOneIsReplaced() throws {
        let boxes = try boxes()
        try boxes.remove(id: 1)
        try sandbox.makeFolder("One")
        try boxes.undo()
        #expect(try boxes.notes(of: 1) == [.eggs])
        try boxes.remove(id: 1)
        try sandbox.write("foreign", to: "One/file")
        expectError(.nameTaken) { try boxes.undo() }
        #expect(try sandbox.text("One/file") == "foreign")
        try sandbox.remove("One")
        try boxes.undo()
        #expect(try boxes.notes(of: 1) == [.eggs])
    }

    /// Another program makes a folder with the name of the one that comes back.
    @Test func folderWhoseNameIsTakenMeanwhileWaits() throws {
        do { _ = try boxes() }
        let sandbox = sandbox
        let interruption = Interruption()
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            let paths = call.components(separatedBy: " to ")
            if call.hasPrefix("rename "), call.hasSuffix("/One"), paths[0].contains("/.staging/") {
                interruption.run()
            }
            return .works
        }
        do {
            let boxes = try Directory<OtherBox>(
                at: sandbox.url, index: "boxes.json", options: options, on: process)
            try boxes.remove(id: 1)
            interruption.set { try sandbox.write("mine", to: "One/mine.txt") }
            // It may say that it is in doubt: the index has the box again.
            _ = try? boxes.undo()
            #expect(interruption.hasRun)
        }
        _ = try sandbox.boxes()
        #expect(try sandbox.text("One/mine.txt") == "mine")
        try sandbox.move("One", to: "mine")
        let boxes = try sandbox.boxes()
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(try boxes.verify().allSatisfy { $0.kind != .leftoverTransaction })
    }

    @Test func undoInAContainerThatIsRemovedMeanwhileSaysSo() throws {
        do { _ = try boxes() }
        let sandbox = sandbox
        let interruption = Interruption()
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            if call.contains("/One/.trash/") { interruption.run() }
            return .works
        }
        let boxes = try Directory<Box>(at: sandbox.url, index: "boxes.json", on: process)
        let photos = try boxes.child(.photos, of: 1, options: options)
        try photos.load()
        try photos.remove(id: photos.items[0].id)
        photos.core.background.wait()
        interruption.set {
            let others = try Directory<OtherBox>(at: sandbox.url, index: "boxes.json")
            try others.remove(id: 1)
            try others.close()
        }
        expectError(.containerRemoved) { try photos.undo() }
        #expect(interruption.hasRun)
    }

    @Test func closingLetsEverythingGo() throws {
        let boxes = try boxes()
        try boxes.remove(id: 1)
        boxes.core.background.wait()
        #expect(try !sandbox.leftovers().isEmpty)
        try boxes.close()
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func releaseOfTheLastValueLetsEverythingGo() throws {
        let core = try {
            let boxes = try boxes()
            try boxes.remove(id: 1)
            return boxes.core
        }()
        core.background.wait()
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func copyHasNothingOfWhatIsKept() throws {
        let boxes = try boxes()
        try boxes.remove(id: 1)
        try boxes.copy(to: sandbox.url("copy"))
        #expect(
            try sandbox.tree("copy").keys.filter { $0.contains("One") || $0.contains(".trash") }
                == [])
        let copy = try sandbox.boxes("copy")
        #expect(try copy.verify().isEmpty)
        #expect(copy.items.map(\.id) == [2])
    }

    @Test func aTransferIsAStep() throws {
        let boxes = try boxes()
        let target = try sandbox.boxes("other")
        try boxes.append(Box(id: 3, folderName: "Three"))
        try boxes.child(.notes, of: 3).append(.salt)
        try boxes.remove(id: 2)
        try boxes.transfer([3, 1], to: target) { $0.folderName += " moved" }
        try target.child(.notes, of: 3).append(.eggs)
        for _ in 1...2 {
            try boxes.undo()
            #expect(try boxes.notes(of: 3) == [.salt, .eggs])
            #expect(boxes.items.map(\.id) == [1, 3] && target.isEmpty)
            try boxes.redo()
            #expect(try target.notes(of: 3) == [.salt, .eggs])
            #expect(boxes.isEmpty && target.items.map(\.id) == [3, 1])
        }
        try boxes.undo()
        try boxes.undo()
        #expect(try boxes.notes(of: 2) == [.milk])
        try boxes.child(.notes, of: 3).remove(ids: [1, 3])
        try boxes.undo()
        #expect(boxes.items.map(\.id) == [1, 2])
        #expect(!sandbox.exists("Three") && !sandbox.exists("other/Three"))
    }
}

extension Sandbox {
    /// All visible files and folders, when nothing is being cleaned up.
    func visibleTree(_ directory: Directory<some Any>) throws -> [String: Entry] {
        directory.core.background.wait()
        return try tree().filter { !$0.key.hasPrefix(".") && !$0.key.contains("/.") }
    }
}
