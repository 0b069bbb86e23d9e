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

    @Test(arguments: Sweep.cases([false, true], sample: 1)) func aContainerIsExchanged(
        _ renaming: Bool
    ) throws {
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

    /// The id of an item that comes back cannot be changed.
    @Test func whatIsThereAgainHasToBeRemovedFirst() throws {
        let boxes = try start(renaming: false)
        try boxes.bring(back: [replaced(in: boxes)])
        try boxes.removeForGood(boxes.recentlyRemoved().map(\.id))
        try boxes.remove(id: 1)
        try boxes.restore(from: copy)
        let old = try #require(boxes.recentlyRemoved().first)
        #expect(!old.isReplaced)
        let error = expectError(.duplicateID) { try boxes.bring(back: [old.id]) }
        #expect(error?.message.contains("Remove the present one first") == true)
        try boxes.remove(id: 1)
        try boxes.bring(back: [old.id])
        #expect(try boxes.notes(of: 1) == [.eggs, .salt])
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

    @Test func swappedNamesComeBack() throws {
        let boxes = try boxes()
        for (id, name) in [(1, "X"), (2, "Y")] {
            try boxes.append(Box(id: id, folderName: name))
            try boxes.child(.notes, of: id).append(Note(id: id, title: name))
        }
        try boxes.copy(to: copy)
        try boxes.write { draft in
            try draft.update(Box(id: 1, folderName: "Y"))
            try draft.update(Box(id: 2, folderName: "X"))
        }
        for id in 1...2 { try boxes.child(.notes, of: id).append(.salt) }
        try boxes.restore(from: copy)
        try boxes.bring(back: boxes.recentlyRemoved().map(\.id))
        #expect(boxes.items.map(\.folderName) == ["Y", "X"])
        for id in 1...2 { #expect(try boxes.notes(of: id).map(\.id) == [id, Note.salt.id]) }
        #expect(try boxes.verify() == [])
    }

    /// A removed container gets the name that the exchange of another one frees.
    @Test func aNameThatBecomesFreeIsUsed() throws {
        let boxes = try start(renaming: true)
        let replaced = try replaced(in: boxes)
        try boxes.append(Box(id: 2, folderName: "Two"))
        try boxes.child(.notes, of: 2).append(.milk)
        try boxes.remove(id: 2)
        let removed = try #require(boxes.recentlyRemoved().first { $0.item.id == 2 })
        try boxes.bring(back: [replaced, removed.id]) {
            if $0.id == 2 { $0.folderName = "One" }
        }
        #expect(boxes.items.map(\.folderName) == ["Uno", "One"])
        #expect(try boxes.notes(of: 1) == [.eggs, .salt] && boxes.notes(of: 2) == [.milk])
        #expect(try boxes.verify() == [])
    }

    /// Nothing has to move away for it, but an undo of that would not know the file that came.
    @Test(arguments: [0, 5]) func anOldFileComesBackAlsoIfTheNewOneIsMissing(undoLimit: Int) throws
    {
        var options = options
        options.undoLimit = undoLimit
        let photos = try sandbox.photos("store", options: options)
        let photo = try photos.insert(Data("old".utf8))
        try photos.copy(to: copy)
        try photos.update(id: photo.id) { $0.name = "Edited" }
        try Data("edited".utf8).write(to: photos.url(of: photo.id))
        try photos.restore(from: copy)
        try FileManager.default.removeItem(at: photos.url(of: photo.id))
        try photos.bring(back: [replaced(in: photos)])
        #expect(try photos.data(of: photo.id) == Data("edited".utf8))
        #expect(try photos.verify() == [])
        // Only the insertion and the update can be undone.
        #expect(photos.core.history.counts.undo == min(2, undoLimit))
    }

    /// Only the value of the item was replaced; its folder is kept with the removal.
    @Test func anOldValueDoesNotComeBackWithoutTheFolder() throws {
        let boxes = try boxes()
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.child(.notes, of: 1).append(.eggs)
        let name = "store/boxes.json"
        try boxes.copy(to: copy)
        try boxes.close()
        let text = try sandbox.text(name)
        try sandbox.write(text.replacing("{\"id\":1", with: "{\"mark\":2,\"id\":1"), to: name)
        let again = try self.boxes()
        try again.restore(from: copy)
        let id = try replaced(in: again)
        try again.remove(id: 1)
        expectError(.itemNotFound) { try again.bring(back: [id]) }
        #expect(again.isEmpty)
        try again.bring(back: again.recentlyRemoved().map(\.id))
        #expect(try again.notes(of: 1) == [.eggs])
    }
}
