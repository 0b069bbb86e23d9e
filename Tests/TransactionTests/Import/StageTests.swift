import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct StageTests {
    let sandbox: Sandbox
    let photos: Directory<Photo>

    init() throws {
        sandbox = try Sandbox()
        photos = try sandbox.photos("store")
    }

    @Test func copyLeavesItsSourceAndMoveRemovesItAfterTheInsert() throws {
        let copied = try sandbox.write("copy", to: "copy.txt")
        let moved = try sandbox.write("move", to: "move.txt")
        let stage = try photos.makeStage()
        try stage.copy(copied)
        try stage.move(moved)
        try stage.write(Data("data".utf8), name: "data.txt")
        let bytes = ["copy", "move", "data"].map { Data($0.utf8) }
        #expect(try stage.assets.map { try Data(contentsOf: $0.url) } == bytes)
        #expect(stage.assets.map(\.name) == ["copy.txt", "move.txt", "data.txt"])
        #expect(stage.assets.map(\.byteCount) == [4, 4, 4])
        #expect(sandbox.exists("move.txt"))
        #expect(photos.isEmpty)

        let inserted = try photos.insert(stage)
        #expect(try inserted.map { try photos.data(of: $0.id) } == bytes)
        #expect(try sandbox.text("copy.txt") == "copy")
        #expect(!sandbox.exists("move.txt"))
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func stageKeepsItsCollectionOpen() throws {
        let stage = try sandbox.photos("elsewhere").makeStage()
        try stage.write(Data("data".utf8))
        #expect(try sandbox.photos("elsewhere").insert(stage).count == 1)
    }

    /// The staged file is not the source under a second name.
    @Test(arguments: [false, true])
    func writeToAMovedSourceIsNotInTheAsset(_ isAfterTheInsert: Bool) throws {
        let source = try sandbox.write("move", to: "move.txt")
        let stage = try photos.makeStage()
        try stage.move(source)
        let file = try FileHandle(forWritingTo: source)
        try file.seekToEnd()
        if !isAfterTheInsert { try file.write(contentsOf: Data("MORE".utf8)) }
        let photo = try photos.insert(stage)[0]
        try file.write(contentsOf: Data("LATER".utf8))
        try file.close()
        #expect(try photos.data(of: photo.id) == Data("move".utf8))
        #expect(photo.byteCount == 4)
        #expect(sandbox.status("store/photos/\(photo.fileName)")?.linkCount == 1)
        // A source that was written to stays.
        #expect(sandbox.exists("move.txt") == !isAfterTheInsert)
    }

    @Test(arguments: [false, true])
    func fileOfAnItemIsNotMoved(_ hasJournal: Bool) throws {
        var options = DirectoryOptions()
        options.journalThreshold = hasJournal ? 0 : .max
        let others = try Directory<Photo>(
            at: sandbox.url("other"), index: "photos.json", options: options)
        let photos = try (0..<3).map { try others.insert(Data([$0])) }
        for photo in photos {
            let url = try others.url(of: photo.id)
            let stage = try self.photos.makeStage()
            expectError(.sourceOwned) { try stage.move(url) }
            #expect(try others.data(of: photo.id).count == 1)
        }
        let stray = try sandbox.write("stray", to: "other/photos/stray.txt")
        try self.photos.makeStage().move(stray)
        // Of a damaged index nobody knows what its items own.
        try others.close()
        try sandbox.write("[{", to: "other/photos.json")
        expectError(.sourceOwned) { try self.photos.makeStage().move(stray) }
    }

    /// The name of the file is made of the id, and is no member of the item.
    private struct Memo: Asset {
        var id: Int
        var fileName: String { "\(id).m4a" }
    }

    @Test func fileThatIsNamedAfterAnIDIsNotMoved() throws {
        let memos = try Directory<Memo>(at: sandbox.url("memos"), index: "memos.json")
        try memos.insert(copying: [sandbox.write("memo", to: "in/memo")]) { _ in Memo(id: 7) }
        let url = try memos.url(of: 7)
        expectError(.sourceOwned) { try photos.makeStage().move(url) }
        #expect(try memos.verify().isEmpty)
    }

    @Test func filesOfACollectionAreNotMoved() throws {
        let notes = try sandbox.journaledNotes("other")
        try notes.append(.eggs)
        try notes.append(.milk)
        for name in ["notes.json", ".notes.journal", ".notes.lock"] {
            let url = sandbox.url("other/\(name)")
            expectError(.sourceOwned) { try photos.makeStage().move(url) }
        }
        // This one is no collection's.
        try photos.makeStage().move(sandbox.write("[]", to: "other/list.json"))
    }

    @Test func sourceStagedTwiceIsTwoAssets() throws {
        let source = try sandbox.write("twice", to: "a.txt")
        let stage = try photos.makeStage()
        try stage.move(source)
        try stage.move(source)
        let inserted = try photos.insert(stage)
        #expect(try inserted.map { try photos.data(of: $0.id).count } == [5, 5])
        #expect(!sandbox.exists("a.txt"))
    }

    @Test func sourceThatChangesAfterItsCopyStays() throws {
        let source = try sandbox.write("old", to: "a.txt")
        try sandbox.makeHardLink("other.txt", to: "a.txt")
        let stage = try photos.makeStage()
        try stage.move(source)
        try sandbox.write("newer", to: "a.txt")
        try photos.insert(stage)
        #expect(try sandbox.text("a.txt") == "newer")
    }

    @Test func replacedSourceStays() throws {
        let source = try sandbox.write("old", to: "a.txt")
        let stage = try photos.makeStage()
        try stage.move(source)
        try sandbox.write("another", to: "b.txt")
        try sandbox.remove("a.txt")
        try sandbox.move("b.txt", to: "a.txt")
        try photos.insert(stage)
        #expect(try sandbox.text("a.txt") == "another")
    }

    @Test func emptyFileIsImported() throws {
        let stage = try photos.makeStage()
        try stage.copy(sandbox.write("", to: "empty"))
        let photo = try photos.insert(stage)[0]
        #expect(photo.byteCount == 0)
        #expect(try photos.data(of: photo.id).isEmpty)
    }

    @Test func emptyStageInsertsAndLeavesNothing() throws {
        let stage = try photos.makeStage()
        #expect(try photos.insert(stage).isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
        expectError(.stageClosed) { try stage.write(Data()) }
    }

    @Test func discardRemovesStagedFilesAndNoSource() throws {
        let source = try sandbox.write("move", to: "move.txt")
        let stage = try photos.makeStage()
        try stage.move(source)
        try stage.discard()
        try stage.discard()
        #expect(try sandbox.text("move.txt") == "move")
        #expect(try sandbox.leftovers().isEmpty)
        expectError(.stageClosed) { try stage.copy(source) }
        expectError(.stageClosed) { try photos.insert(stage) }
        #expect(photos.isEmpty)
    }

    @Test func releasedStageLeavesNothing() throws {
        let source = try sandbox.write("move", to: "move.txt")
        do {
            let stage = try photos.makeStage()
            try stage.move(source)
            #expect(try !sandbox.leftovers().isEmpty)
        }
        #expect(try sandbox.leftovers().isEmpty)
        #expect(sandbox.exists("move.txt"))
    }

    @Test func insertedStageIsClosed() throws {
        let stage = try photos.makeStage()
        try stage.write(Data([1]))
        try photos.insert(stage)
        expectError(.stageClosed) { try photos.insert(stage) }
        expectError(.stageClosed) { try stage.write(Data([2])) }
        try stage.discard()
        #expect(photos.count == 1)
        #expect(try photos.verify().isEmpty)
    }

    @Test func stageOfAnotherCollectionIsRefusedAndStays() throws {
        let other = try sandbox.photos("other")
        let stage = try other.makeStage()
        try stage.write(Data([1]))
        expectError(.stageClosed) { try photos.insert(stage) }
        #expect(photos.isEmpty)
        #expect(try other.insert(stage).count == 1)
    }

    @Test func stageSurvivesARenameOfItsContainer() throws {
        let boxes = try sandbox.boxes()
        try boxes.append(Box(id: 1, folderName: "One"))
        let photos = try boxes.child(.photos, of: 1)
        let stage = try photos.makeStage()
        try stage.write(Data([1]))
        try boxes.update(id: 1) { $0.folderName = "Uno" }
        try stage.write(Data([2]))
        let inserted = try photos.insert(stage)
        #expect(try inserted.map { try photos.data(of: $0.id) } == [Data([1]), Data([2])])
        #expect(!sandbox.exists("One"))
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func stageInUseSurvivesOtherCommits() throws {
        let stage = try photos.makeStage()
        try stage.write(Data([1]))
        try photos.insert(Data([2]))
        #expect(try photos.verify().isEmpty)
        struct Other: Codable, Identifiable, Sendable { var id: UUID }
        let other = try Directory<Other>(at: sandbox.url("store"), index: "photos.json")
        try other.move(fromOffsets: [0], toOffset: 1)
        try photos.insert(stage)
        #expect(photos.count == 2)
    }
}
