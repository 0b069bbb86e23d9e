import DirectoryTestSupport
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// What was replaced comes back in exchange for what took its place.
struct ReplacedItemTests {
    let sandbox: Sandbox
    private let options = DirectoryOptions(keepsRemoved: .days(30))
    private var copy: URL { sandbox.url("copy") }

    init() throws { sandbox = try Sandbox() }

    private func boxes(_ options: DirectoryOptions? = nil) throws -> Directory<Box> {
        try sandbox.boxes("store", options: options ?? self.options)
    }

    /// A box with a note, of which a copy was made, and which a restoring has replaced since: it has two notes then.
    private func start(renaming: Bool) throws -> Directory<Box> {
        let boxes = try boxes()
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.child(.notes, of: 1).append(.eggs)
        try boxes.copy(to: copy)
        try boxes.child(.notes, of: 1).append(.salt)
        if renaming { try boxes.update(Box(id: 1, folderName: "Uno")) }
        try boxes.restore(from: copy)
        return boxes
    }

    /// The only item that can be brought back.
    private func replaced<Item>(in collection: Directory<Item>) throws -> RemovedItemID {
        let removed = try collection.recentlyRemoved()
        #expect(removed.map(\.isReplaced) == [true])
        return try #require(removed.first).id
    }

    @Test(arguments: [false, true]) func aContainerIsExchanged(_ renaming: Bool) throws {
        let boxes = try start(renaming: renaming)
        for expected in [[Note.eggs, .salt], [.eggs], [.eggs, .salt]] {
            let open = try boxes.child(.notes, of: 1)
            try open.load()
            try boxes.bring(back: [replaced(in: boxes)])
            let isOld = expected != [.eggs]
            #expect(boxes.items.first?.folderName == (renaming && isOld ? "Uno" : "One"))
            #expect(try boxes.notes(of: 1) == expected)
            expectError(.containerRemoved) { try open.append(.milk) }
            boxes.core.background.wait()
            #expect(try boxes.verify() == [])
            #expect(try Directory.verify(below: sandbox.url("store")) == [])
            let other = try self.boxes()
            #expect(try other.notes(of: 1) == expected)
        }
    }

    @Test func theOldOneGetsAnotherName() throws {
        let boxes = try start(renaming: false)
        try boxes.bring(back: [replaced(in: boxes)]) { $0.folderName = "Old" }
        #expect(try boxes.notes(of: 1) == [.eggs, .salt])
        #expect(!sandbox.exists("store/One") && sandbox.exists("store/Old"))
        try boxes.bring(back: [replaced(in: boxes)])
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(sandbox.exists("store/One") && !sandbox.exists("store/Old"))
    }

    @Test func aFileIsExchangedForOneOfItsName() throws {
        let photos = try sandbox.photos("store", options: options)
        let photo = try photos.insert(Data("old".utf8))
        try photos.copy(to: copy)
        try Data("edited".utf8).write(to: photos.url(of: photo.id))
        try photos.restore(from: copy)
        for expected in ["edited", "old", "edited"] {
            try photos.bring(back: [replaced(in: photos)])
            #expect(try photos.data(of: photo.id) == Data(expected.utf8))
            #expect(try photos.verify() == [])
        }
    }

    /// An undo of an older change does not take the exchanged folder for the one that it knows.
    @Test func anExchangeCannotBeUndone() throws {
        let boxes = try start(renaming: false)
        try boxes.close()
        let again = try self.boxes(DirectoryOptions(undoLimit: 5, keepsRemoved: .days(30)))
        try again.append(Box(id: 2, folderName: "Two"))
        try again.bring(back: [replaced(in: again)])
        try again.undo()
        #expect(again.items.map(\.id) == [1])
        #expect(try again.notes(of: 1) == [.eggs, .salt])
        #expect(try again.undo() == nil)
    }

    @Test func nothingIsExchangedIfTheNewerOneWouldNotBeKept() throws {
        let boxes = try start(renaming: false)
        let id = try replaced(in: boxes)
        try boxes.close()
        let again = try self.boxes(.init())
        expectError(.nameTaken) { try again.bring(back: [id]) }
        #expect(try again.notes(of: 1) == [.eggs])
        _ = try replaced(in: again)
    }

    @Test func somebodyElsesFolderIsNotExchanged() throws {
        let boxes = try start(renaming: true)
        try sandbox.write("mine", to: "store/Uno/file.txt")
        let id = try replaced(in: boxes)
        expectError(.nameTaken) { try boxes.bring(back: [id]) }
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(try sandbox.text("store/Uno/file.txt") == "mine")
        try sandbox.remove("store/Uno")
        try boxes.bring(back: [id])
        #expect(try boxes.notes(of: 1) == [.eggs, .salt])
        #expect(try boxes.verify() == [])
    }
}
