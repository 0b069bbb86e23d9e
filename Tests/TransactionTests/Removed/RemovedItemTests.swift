import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Items that were removed recently: what is listed, and what comes back.
struct RemovedItemTests {
    let sandbox: Sandbox
    let options = DirectoryOptions(keepsRemoved: .days(30))

    init() throws { sandbox = try Sandbox() }

    func boxes() throws -> Directory<Box> { try sandbox.boxes(options: options) }
    func photos() throws -> Directory<Photo> { try sandbox.photos(options: options) }

    /// Two boxes with a note each, as ``Sandbox/twoBoxes()`` makes them.
    func twoBoxes() throws -> Directory<Box> {
        try sandbox.twoBoxes().close()
        return try boxes()
    }

    @Test func containerComesBackInAnotherProcessWithAllThatWasInIt() throws {
        let first = try twoBoxes()
        try first.child(.photos, of: 1).insert(Data([7]))
        let before = try sandbox.visibleTree(first)
        try first.remove(id: 1)
        try first.close()

        let second = try boxes()
        let removed = try #require(second.recentlyRemoved().first)
        #expect(removed.item == Box(id: 1, folderName: "One"))
        #expect(removed.position == 0 && !removed.isReplaced)
        #expect(abs(removed.date.timeIntervalSinceNow) < 60)
        #expect(abs(removed.expires.timeIntervalSince(removed.date) - 30 * 24 * 60 * 60) < 0.001)
        #expect(removed.byteCount > 10)
        let url = try #require(removed.url)
        #expect(FileManager.default.fileExists(atPath: url.appending(path: "notes.json").path))
        #expect(try second.verify().isEmpty)

        #expect(try second.bring(back: [removed.id]) == [removed.item])
        #expect(second.items.map(\.id) == [1, 2])
        #expect(try second.notes(of: 1) == [.eggs])
        #expect(try sandbox.visibleTree(second) == before)
        #expect(try second.recentlyRemoved().isEmpty)
        #expect(!sandbox.exists(".removed"))
        expectError(.itemNotFound) { try second.bring(back: [removed.id]) }
    }

    /// A memory file system is so fast that several removals share a millisecond.
    @Test func whatWasRemovedLastIsFirst() throws {
        let notes = try Directory<Note>(
            at: URL(filePath: "/store"), index: "notes.json", options: options,
            on: MemoryFileSystem())
        for number in 0..<100 {
            try notes.append(Note(id: 1, title: "\(number)"))
            try notes.remove(id: 1)
        }
        #expect(
            try notes.recentlyRemoved().map(\.item.title) == (0..<100).reversed().map { "\($0)" })
    }

    @Test func photosComeBackInTheirOrderWithTheirFiles() throws {
        let photos = try photos()
        try photos.insert((0..<5).map { Data("photo \($0)".utf8) })
        let items = Array(photos.items)
        try photos.remove(ids: [items[1].id, items[3].id])
        try photos.remove(id: items[0].id)
        #expect(try sandbox.tree("photos").count == 2)
        try photos.close()

        let again = try self.photos()
        let removed = try again.recentlyRemoved()
        #expect(removed.map(\.item) == [items[0], items[1], items[3]])
        #expect(removed.map(\.byteCount) == [7, 7, 7])
        try again.bring(back: removed.map(\.id))
        #expect(Array(again.items) == items)
        for (number, item) in items.enumerated() {
            #expect(try again.data(of: item.id) == Data("photo \(number)".utf8))
        }
        #expect(try again.verify().isEmpty)
    }

    @Test func oneOfSeveralComesBackAndTheOthersStayListed() throws {
        let photos = try photos()
        let items = try photos.insert((0..<3).map { Data([$0]) })
        try photos.remove(ids: items.map(\.id))
        let removed = try photos.recentlyRemoved()
        try photos.bring(back: [removed[1].id])
        #expect(Array(photos.items) == [items[1]])
        #expect(try photos.recentlyRemoved().map(\.id) == [removed[0].id, removed[2].id])
        try photos.bring(back: [removed[2].id, removed[0].id])
        #expect(Set(photos.items) == Set(items))
        #expect(try photos.verify().isEmpty)
    }

    @Test func itemsWithoutFilesComeBack() throws {
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json", options: options)
        try notes.append(contentsOf: [.eggs, .milk, .salt])
        try notes.remove(ids: [1, 3])
        let removed = try notes.recentlyRemoved()
        #expect(removed.map(\.item) == [.eggs, .salt])
        #expect(removed.map(\.url) == [nil, nil])
        try notes.bring(back: removed.map(\.id))
        #expect(Array(notes.items) == [.eggs, .milk, .salt])
        #expect(try notes.recentlyRemoved().isEmpty)
        // What is in the collection again is not removed.
        try notes.remove(id: 2)
        try notes.append(.milk)
        #expect(try notes.recentlyRemoved().isEmpty)
    }

    @Test func replacedFileComesBackWithTheItemAsItWas() throws {
        let photos = try photos()
        let old = try photos.insert(Data("old".utf8))
        let stage = try photos.makeStage()
        try stage.write(Data("new".utf8), name: "new.jpg")
        _ = try photos.write(importing: stage) { draft, files in
            try draft.update(id: old.id, file: files[0]) { $0.replaceFile(by: files[0]) }
        }
        let removed = try photos.recentlyRemoved()
        #expect(removed.map(\.isReplaced) == [true])
        #expect(removed.map(\.item) == [old])
        try photos.bring(back: removed.map(\.id))
        #expect(Array(photos.items) == [old])
        #expect(try photos.data(of: old.id) == Data("old".utf8))
        // Now the other file is the one that was replaced.
        let other = try photos.recentlyRemoved()
        #expect(other.map(\.byteCount) == [3])
        try photos.bring(back: other.map(\.id))
        #expect(try photos.data(of: old.id) == Data("new".utf8))
        #expect(try photos.verify().isEmpty)
    }

    @Test func nameThatIsTakenIsGivenAnother() throws {
        let boxes = try twoBoxes()
        try boxes.remove(id: 1)
        try boxes.append(Box(id: 3, folderName: "one"))
        let (id, tree) = try (#require(boxes.recentlyRemoved().first?.id), sandbox.tree())
        expectError(.nameTaken) { try boxes.bring(back: [id]) }
        expectError(.duplicateID) { try boxes.bring(back: [id]) { $0.id = 9 } }
        #expect(try sandbox.tree() == tree)
        #expect(try boxes.bring(back: [id]) { $0.folderName = "Again" }.map(\.id) == [1])
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(sandbox.exists("Again/notes.json"))
        #expect(try boxes.verify().isEmpty)
    }

    @Test func whatWasRemovedInAContainerComesBackWithIt() throws {
        let boxes = try twoBoxes()
        let notes = try boxes.child(.notes, of: 1)
        try notes.append(.salt)
        try notes.remove(id: Note.salt.id)
        try boxes.remove(id: 1)
        #expect(try boxes.recentlyRemoved().count == 1)
        try boxes.bring(back: boxes.recentlyRemoved().map(\.id))
        let again = try boxes.child(.notes, of: 1)
        #expect(try again.recentlyRemoved().map(\.item) == [.salt])
    }

    @Test func removalForGoodFreesTheSpace() throws {
        let photos = try photos()
        let items = try photos.insert((0..<3).map { Data([$0]) })
        try photos.remove(ids: items.map(\.id))
        let removed = try photos.recentlyRemoved()
        try photos.removeForGood([removed[0].id])
        #expect(try photos.recentlyRemoved().map(\.id) == [removed[1].id, removed[2].id])
        let contents = try sandbox.contents(".removed")
        #expect(!contents.contains(Data([0])) && contents.contains(Data([1])))
        expectError(.itemNotFound) { try photos.bring(back: removed.map(\.id)) }
        try photos.removeForGood(removed.map(\.id))
        #expect(try photos.recentlyRemoved().isEmpty)
        #expect(!sandbox.exists(".removed"))
        #expect(try photos.verify().isEmpty)
    }

    /// Also by a process that keeps nothing itself.
    @Test func whatComesBackIsDurableBeforeItsRecordGoes() throws {
        let process = ProcessFileSystem(LocalFileSystem())
        let notes = try Directory<Note>(
            at: sandbox.url, index: "notes.json",
            options: .init(durability: .relaxed, keepsRemoved: .days(1)), on: process)
        try notes.append(contentsOf: [.eggs, .milk])
        try notes.remove(id: Note.milk.id)
        let before = process.calls
        try notes.bring(back: notes.recentlyRemoved().map(\.id))
        let calls = process.log.dropFirst(before)
        let commit = try #require(
            calls.firstIndex { $0.hasPrefix("rename ") && $0.hasSuffix("/notes.json") })
        let end = try #require(
            calls.firstIndex { $0.hasPrefix("remove ") && $0.hasSuffix("/removed") })
        // The name of the new index is in its folder, which a relaxed commit does not sync.
        let folder = notes.url.deletingLastPathComponent().path(percentEncoded: false)
        #expect(calls[commit..<end].contains("sync \(folder)"))
    }

    @Test func whatHasExpiredIsDeleted() throws {
        let brief = DirectoryOptions(keepsRemoved: .days(0))
        let boxes = try sandbox.boxes(options: brief)
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.remove(id: 1)
        #expect(try boxes.recentlyRemoved().isEmpty)
        #expect(sandbox.exists(".removed"))
        try boxes.close()
        let others = try sandbox.boxes()
        try others.append(Box(id: 2, folderName: "Two"))
        try others.checkpoint()
        #expect(!sandbox.exists(".removed"))
    }

    @Test func idsAreTheSameAsText() throws {
        let photos = try photos()
        let items = try photos.insert((0..<2).map { Data([$0]) })
        try photos.remove(ids: items.map(\.id))
        for removed in try photos.recentlyRemoved() {
            #expect(RemovedItemID("\(removed.id)") == removed.id)
        }
        for text in ["", "a", "/1", "a/", "a/x", "a/-1", "../a/1"] {
            #expect(RemovedItemID(text) == nil, "\(text)")
        }
        let invented = [try #require(RemovedItemID("photos~0/9"))]
        expectError(.itemNotFound) { try photos.bring(back: invented) }
        try photos.removeForGood(invented)
    }

    @Test func recordThatIsNoneCountsForNothing() throws {
        let photos = try photos()
        let photo = try photos.insert(Data([1]))
        try photos.remove(id: photo.id)
        let removed = try #require(photos.recentlyRemoved().first)
        let record = ".removed/\(removed.id.folder)/removed"
        for text in ["", "{}", "{\"items\":[]}\n0\n"] {
            try sandbox.write(text, to: record)
            #expect(try photos.recentlyRemoved().isEmpty)
            expectError(.itemNotFound) { try photos.bring(back: [removed.id]) }
        }
        // It may be one of a later version.
        try photos.close()
        let again = try self.photos()
        try again.insert(Data([2]))
        #expect(try again.verify().map(\.kind) == [.leftoverTrash] && sandbox.exists(record))
        #expect(try Directory.verify(below: sandbox.url).map(\.kind) == [.leftoverTrash])
        try sandbox.remove(record)
        try again.close()
        let last = try self.photos()
        try last.insert(Data([3]))
        try last.checkpoint()
        #expect(!sandbox.exists(".removed"))
    }
}
