import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Undo of changes that remove, replace or rename folders and files.
@Suite struct UndoFileTests {
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

    /// All visible files and folders, when nothing is being cleaned up.
    private func tree(_ directory: Directory<some Any>) throws -> [String: Sandbox.Entry] {
        directory.core.background.wait()
        return try sandbox.tree().filter { !$0.key.hasPrefix(".") && !$0.key.contains("/.") }
    }

    /// Three photographs.
    private func photos() throws -> Directory<Photo> {
        let photos = try sandbox.photos(options: options)
        try photos.insert(["one", "two", "three"].map { Data($0.utf8) })
        return photos
    }

    @Test func removedContainerComesBackWithEverythingInIt() throws {
        let boxes = try boxes()
        let before = try tree(boxes)
        let notes = try boxes.child(.notes, of: 1)
        try boxes.remove(id: 1)
        #expect(!sandbox.exists("One"))
        expectError(.containerRemoved) { try notes.append(.salt) }
        try boxes.undo()
        #expect(try tree(boxes) == before)
        #expect(try boxes.notes(of: 1) == [.eggs])
        // What was open in the folder is so again.
        try notes.append(.salt)
        #expect(try boxes.notes(of: 1) == [.eggs, .salt])
        try boxes.redo()
        #expect(!sandbox.exists("One"))
        try boxes.undo()
        #expect(try boxes.notes(of: 1) == [.eggs, .salt])
        #expect(try boxes.verify().isEmpty)
    }

    @Test func newContainerThatIsUndoneComesBackWithWhatWasPutIntoIt() throws {
        let boxes = try boxes()
        let before = try tree(boxes)
        try boxes.append(Box(id: 3, folderName: "Three"))
        try boxes.child(.notes, of: 3).append(.salt)
        try boxes.undo()
        #expect(try tree(boxes) == before)
        try boxes.redo()
        #expect(try boxes.notes(of: 3) == [.salt])
        #expect(try boxes.verify().isEmpty)
    }

    @Test func renamedFolderGetsItsNameBack() throws {
        let boxes = try boxes()
        let before = try tree(boxes)
        try boxes.update(Box(id: 1, folderName: "Uno"))
        try boxes.update(Box(id: 1, folderName: "uno"))
        try boxes.undo()
        try boxes.undo()
        #expect(try tree(boxes) == before)
        try boxes.redo()
        try boxes.redo()
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(sandbox.exists("uno"))
    }

    @Test func oneCommitThatRemovesAddsAndRenamesContainersIsUndone() throws {
        let boxes = try boxes()
        let before = try tree(boxes)
        try boxes.write { draft in
            try draft.remove(id: 1)
            try draft.update(Box(id: 2, folderName: "Zwei"))
            try draft.insert(Box(id: 3, folderName: "Three"), at: 0)
        }
        let after = try tree(boxes)
        for _ in 0..<3 {
            try boxes.undo()
            #expect(try tree(boxes) == before)
            #expect(try boxes.verify().isEmpty)
            try boxes.redo()
            #expect(try tree(boxes) == after)
            #expect(try boxes.verify().isEmpty)
        }
    }

    @Test func folderNameThatIsUsedAgainIsNoObstacleInOrder() throws {
        let boxes = try boxes()
        let before = try tree(boxes)
        try boxes.remove(id: 1)
        try boxes.append(Box(id: 9, folderName: "One"))
        try boxes.child(.notes, of: 9).append(.salt)
        try boxes.remove(id: 9)
        try boxes.undo()
        #expect(try boxes.notes(of: 9) == [.salt])
        try boxes.undo()
        try boxes.undo()
        #expect(try tree(boxes) == before)
        try boxes.redo()
        try boxes.redo()
        #expect(try boxes.notes(of: 9) == [.salt])
    }

    @Test func folderNameThatOthersUseIsAConflict() throws {
        let boxes = try boxes()
        try boxes.remove(id: 1)
        let others = try Directory<OtherBox>(at: sandbox.url, index: "boxes.json")
        try others.append(OtherBox(id: 9, folderName: "One"))
        try others.child(.notes, of: 9).append(.salt)
        let before = try tree(boxes)
        expectError(.undoConflict) { try boxes.undo() }
        #expect(try tree(boxes) == before)
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
        expectError(.undoConflict) { try boxes.undo() }
        #expect(try sandbox.text("One/file") == "foreign")
        try sandbox.remove("One")
        try boxes.undo()
        #expect(try boxes.notes(of: 1) == [.eggs])
    }

    @Test func removedPhotosComeBackWithTheirFiles() throws {
        let photos = try photos()
        let before = try tree(photos)
        let ids = photos.items.map(\.id)
        try photos.remove(id: ids[1])
        let between = try tree(photos)
        try photos.remove(ids: [ids[0], ids[2]])
        #expect(try sandbox.tree("photos").isEmpty)
        try photos.undo()
        #expect(try tree(photos) == between)
        try photos.undo()
        #expect(try tree(photos) == before)
        #expect(try photos.data(of: ids[1]) == Data("two".utf8))
        try photos.redo()
        try photos.redo()
        #expect(try sandbox.tree("photos").isEmpty)
        #expect(try photos.verify().isEmpty)
    }

    @Test func importedPhotosAreTakenBackAndComeAgain() throws {
        let photos = try photos()
        let after = try tree(photos)
        try photos.undo()
        #expect(photos.isEmpty)
        #expect(try sandbox.tree("photos").isEmpty)
        try photos.redo()
        #expect(try tree(photos) == after)
        #expect(try photos.verify().isEmpty)
    }

    @Test func replacedFileComesBack() throws {
        let photos = try photos()
        let before = try tree(photos)
        let id = photos.items[1].id
        let stage = try photos.makeStage()
        try stage.write(Data("new".utf8), name: "new.jpg")
        _ = try photos.write(importing: stage) { draft, files in
            try draft.update(id: id, file: files[0]) { $0.replaceFile(by: files[0]) }
        }
        let after = try tree(photos)
        for _ in 0..<2 {
            #expect(try photos.data(of: id) == Data("new".utf8))
            try photos.undo()
            #expect(try photos.data(of: id) == Data("two".utf8))
            #expect(try tree(photos) == before)
            try photos.redo()
            #expect(try tree(photos) == after)
        }
        #expect(try photos.verify().isEmpty)
    }

    /// Another program makes a folder with the name of the one that comes back.
    @Test func folderWhoseNameIsTakenMeanwhileWaitsInTheTrash() throws {
        do { _ = try boxes() }
        let sandbox = sandbox
        let interruption = Interruption()
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            let paths = call.components(separatedBy: " to ")
            if call.hasPrefix("rename "), call.hasSuffix("/One"), paths[0].contains("/.trash/"),
                !paths[1].contains("/.trash/")
            {
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

    @Test func fileOfAnAssetThatIsGoneFromTheTrashIsAConflict() throws {
        let photos = try photos()
        try photos.remove(id: photos.items[0].id)
        photos.core.background.wait()
        try sandbox.remove(".trash")
        let before = try tree(photos)
        expectError(.undoConflict) { try photos.undo() }
        #expect(try tree(photos) == before)
        // Later changes can be undone.
        try photos.remove(id: photos.items[0].id)
        try photos.undo()
        #expect(try tree(photos) == before)
    }

    @Test func whatIsKeptIsLetGoWithItsStep() throws {
        let photos = try sandbox.photos(options: DirectoryOptions(undoLimit: 2))
        try photos.insert((0..<4).map { Data("photo \($0)".utf8) })
        for _ in 0..<3 { try photos.remove(id: photos.items[0].id) }
        try photos.checkpoint()
        #expect(try kept() == ["photo 1", "photo 2"])
        try photos.undo()
        try photos.checkpoint()
        #expect(try kept() == ["photo 1"])
        try photos.insert(Data("new".utf8))
        try photos.insert(Data("newer".utf8))
        try photos.checkpoint()
        #expect(try kept().isEmpty)
    }

    /// The contents of the files in the trash that are not empty.
    private func kept() throws -> [String] {
        guard sandbox.exists(".trash") else { return [] }
        return try sandbox.contents(".trash").filter { !$0.isEmpty }
            .map { String(decoding: $0, as: UTF8.self) }.sorted()
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

    @Test func transfersEndNoHistory() throws {
        let boxes = try boxes()
        let target = try sandbox.boxes("other")
        try boxes.append(Box(id: 3, folderName: "Three"))
        try boxes.remove(id: 2)
        try boxes.transfer([3], to: target)
        try boxes.undo()
        #expect(try boxes.notes(of: 2) == [.milk])
        expectError(.undoConflict) { try boxes.undo() }
        try target.transfer([3], to: boxes)
        try boxes.undo()
        #expect(boxes.items.map(\.id) == [1, 2])
        #expect(!sandbox.exists("Three") && !sandbox.exists("other/Three"))
    }

    @Test func itemsWithFoldersAndFilesInMemoryComeBack() throws {
        let volume = MemoryVolume(at: sandbox.url)
        let photos = try photos()
        let id = photos.items[0].id
        try photos.remove(id: id)
        volume.fail(.noSpace)
        expectError(.noSpace) { try photos.undo() }
        try photos.undo()
        #expect(try photos.data(of: id) == Data("one".utf8))
    }
}
