import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// A newer version died during a change of files, and an older one, which cannot decode the item,
/// opens the collection: it must not decide what happens to the files of that item.
struct UnknownOwnerTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Calls `change` in processes that die before each of their calls, and `check` after each.
    private func forEachDeath(
        _ prepare: (Sandbox) throws -> Void, _ change: (Sandbox, ProcessFileSystem) throws -> Void,
        _ check: (Sandbox, Comment) throws -> Void
    ) throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: 1_000, step: 6) {
            let sandbox = try Sandbox()
            try prepare(sandbox)
            let process = ProcessFileSystem(LocalFileSystem()) { $0 == call ? .killed : .works }
            try? change(sandbox, process)
            if process.calls <= call { return }
            try sandbox.buryOwners()
            try check(sandbox, "killed before call \(call)")
        }
    }

    /// The line of the item becomes one that the older version cannot decode, and back.
    private func replace(_ text: String, by other: String, in index: String, _ sandbox: Sandbox)
        throws
    {
        guard sandbox.exists(index) else { return }
        try sandbox.write(sandbox.text(index).replacing(text, with: other), to: index)
    }

    /// The empty folder of an item that only a newer version can decode is nobody else's.
    @Test func emptyFolderOfAnItemThatCannotBeDecodedIsTaken() throws {
        let boxes = try sandbox.boxes()
        for (id, name) in [(1, "One"), (7, "Seven")] {
            try boxes.append(Box(id: id, folderName: name))
        }
        try boxes.close()
        try replace(#""id":7"#, by: #""id":"7""#, in: "boxes.json", sandbox)
        let old = try sandbox.boxes()
        try old.load()
        #expect(old.damagedItems.count == 1)
        expectError(.nameTaken) { try old.append(Box(id: 8, folderName: "Seven")) }
        expectError(.nameTaken) { try old.update(id: 1) { $0.folderName = "Seven" } }
        try sandbox.write(#"[{"id":8,"folderName":"Seven"}]"#, to: "other/boxes.json")
        try sandbox.write(#"[{"id":1,"title":"Eggs"}]"#, to: "other/Seven/notes.json")
        expectError(.nameTaken) {
            try old.merge(from: sandbox.url("other")) { _, _ in .keepMine }
        }
        try old.close()
        try replace(#""id":"7""#, by: #""id":7"#, in: "boxes.json", sandbox)
        let new = try sandbox.boxes()
        try new.load()
        #expect(new.items.map(\.id) == [1, 7])
        #expect(try new.notes(of: 7).isEmpty)
    }

    @Test func folderOfAnItemThatCannotBeDecodedIsNotDeleted() throws {
        try forEachDeath { sandbox in
            try sandbox.twoBoxes().checkpoint()
        } _: { sandbox, process in
            let boxes = try Directory<Box>(
                at: sandbox.url, index: "boxes.json", options: .init(), on: process)
            try boxes.remove(id: 1)
        } _: { sandbox, place in
            let isRemoved = try !sandbox.text("boxes.json").contains("One")
            try replace(#""id":1"#, by: #""id":"1""#, in: "boxes.json", sandbox)
            let old = try Directory<OldBox>(at: sandbox.url, index: "boxes.json")
            try old.load()
            try old.update(id: 2) { $0.note = "x" }
            try old.checkpoint()
            try replace(#""id":"1""#, by: #""id":1"#, in: "boxes.json", sandbox)
            let boxes = try sandbox.boxes()
            #expect((boxes[id: 1] == nil) == isRemoved, place)
            if !isRemoved { #expect(try boxes.notes(of: 1) == [.eggs], place) }
            boxes.core.background.wait()
            #expect(try sandbox.leftovers().isEmpty, place)
        }
    }

    @Test func fileOfAnItemThatCannotBeDecodedIsNotTakenBack() throws {
        let photo = Photo(
            id: UUID(), date: .distantPast, name: "new", fileName: "new.jpg", byteCount: 1)
        try forEachDeath { sandbox in
            try sandbox.photos().insert(Data("old".utf8), name: "old.jpg")
        } _: { sandbox, process in
            let photos = try Directory<Photo>(
                at: sandbox.url, index: "photos.json", options: .init(), on: process)
            let stage = try photos.makeStage()
            try stage.write(Data("new".utf8), name: "new.jpg")
            try photos.insert(stage) { _ in photo }
        } _: { sandbox, place in
            let isInserted = try sandbox.text("photos.json").contains("new.jpg")
            try replace(#""name":"new""#, by: #""name":7"#, in: "photos.json", sandbox)
            let old = try Directory<Photo>(at: sandbox.url, index: "photos.json")
            try old.load()
            let first = try #require(old.items.first)
            try old.update(first)
            try replace(#""name":7"#, by: #""name":"new""#, in: "photos.json", sandbox)
            let photos = try sandbox.photos()
            #expect((photos[id: photo.id] != nil) == isInserted, place)
            if isInserted {
                #expect(try photos.data(of: photo.id) == Data("new".utf8), place)
            }
        }
    }

    @Test func transferOfAnItemThatCannotBeDecodedIsEnded() throws {
        try forEachDeath { sandbox in
            try sandbox.twoBoxes().checkpoint()
            try sandbox.boxes("other").append(Box(id: 3, folderName: "Three"))
        } _: { sandbox, process in
            let (boxes, other) = try (
                Directory<Box>(
                    at: sandbox.url, index: "boxes.json", options: .init(), on: process),
                Directory<Box>(
                    at: sandbox.url("other"), index: "boxes.json", options: .init(), on: process)
            )
            try boxes.transfer([1], to: other)
        } _: { sandbox, place in
            for path in ["", "other"] {
                let old = try Directory<BoxFromTwo>(at: sandbox.url(path), index: "boxes.json")
                try old.load()
                try old.append(BoxFromTwo(id: 9, folderName: "Nine"))
            }
            let sides = try [sandbox.boxes(), sandbox.boxes("other")]
            let having = sides.filter { $0[id: 1] != nil }
            #expect(having.count == 1, place)
            #expect(try having.map { try $0.notes(of: 1) } == [[.eggs]], place)
            #expect(try sandbox.leftovers().isEmpty, place)
        }
    }
}

/// A box of a version that cannot decode the first one.
private struct BoxFromTwo: Container {
    var id: Int
    var folderName: String
}

extension BoxFromTwo {
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(Int.self, forKey: .id)
        folderName = try values.decode(String.self, forKey: .folderName)
        guard id > 1 else {
            throw DecodingError.dataCorruptedError(
                forKey: .id, in: values, debugDescription: "it is of a newer version")
        }
    }
}

/// A box as an older version knows it.
private struct OldBox: Container {
    var id: Int
    var folderName: String
    var note: String?
}
