import DirectoryTestSupport
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// What undo, writes, imports and transfers keep and bring back.
extension RemovedItemTests {
    @Test(
        arguments: Sweep.cases(
            [
                Array(0..<12), Array((0..<12).reversed()), [3, 0, 11, 1, 2, 7, 10, 4, 9, 5, 8, 6],
            ], sample: 1)) func whatWasRemovedOneByOneComesBackInItsOrder(_ order: [Int]) throws
    {
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json", options: options)
        try notes.append(contentsOf: (0..<12).map { Note($0) })
        for id in order { try notes.remove(id: id) }
        let removed = try notes.recentlyRemoved().shuffled()
        #expect(try notes.bring(back: removed.map(\.id)).map(\.id) == Array(0..<12))
        #expect(notes.items.map(\.id) == Array(0..<12))
    }

    /// A record can come from a folder that somebody sent.
    @Test(arguments: [-1, .min, .max]) func aRecordCanHaveAnyPosition(_ position: Int) throws {
        let boxes = try twoBoxes()
        try boxes.remove(id: 1)
        let removed = try #require(boxes.recentlyRemoved().first)
        let record = ".removed/\(removed.id.folder)/removed"
        var intent = try #require(Intent(Array(sandbox.bytes(record))))
        intent.removal?.items[0]?.position = position
        try sandbox.write(Data(intent.encoded()), to: record)
        try boxes.bring(back: [removed.id])
        #expect(boxes.items.map(\.id) == (position < 0 ? [1, 2] : [2, 1]))
    }

    @Test func removalsAreUndoneAndMadeAgain() throws {
        let both = DirectoryOptions(undoLimit: 5, keepsRemoved: .days(30))
        try sandbox.twoBoxes().close()
        let boxes = try sandbox.boxes(options: both)
        let before = try sandbox.visibleTree(boxes)
        try boxes.remove(id: 1)
        let after = try sandbox.visibleTree(boxes)
        for _ in 0..<2 {
            try boxes.undo()
            #expect(try sandbox.visibleTree(boxes) == before)
            #expect(try boxes.recentlyRemoved().isEmpty)
            try boxes.redo()
            #expect(try sandbox.visibleTree(boxes) == after)
            #expect(try boxes.recentlyRemoved().map(\.item.id) == [1])
        }
        // What comes back in another way cannot come back by an undo too.
        try boxes.bring(back: boxes.recentlyRemoved().map(\.id))
        try boxes.undo()
        #expect(try sandbox.visibleTree(boxes) == after)
        try boxes.close()
        let again = try self.boxes()
        try again.bring(back: again.recentlyRemoved().map(\.id))
        #expect(try again.notes(of: 1) == [.eggs])
    }

    @Test func bringingBackIsOneChange() throws {
        let both = DirectoryOptions(undoLimit: 5, keepsRemoved: .days(30))
        let photos = try sandbox.photos(options: both)
        let items = try photos.insert((0..<3).map { Data([$0]) })
        try photos.remove(ids: items.map(\.id))
        try photos.bring(back: photos.recentlyRemoved().map(\.id))
        try photos.undo()
        #expect(photos.isEmpty)
        try photos.redo()
        #expect(Array(photos.items) == items)
        #expect(try photos.verify().isEmpty)
    }

    @Test func writeToSeveralCollectionsKeepsWhatItRemovesInEach() throws {
        let boxes = try twoBoxes()
        try boxes.write { draft in
            try draft.write(.notes, of: 1) { try $0.remove(id: Note.eggs.id) }
            try draft.remove(id: 2)
        }
        #expect(try boxes.recentlyRemoved().map(\.item.id) == [2])
        let notes = try boxes.child(.notes, of: 1)
        #expect(try notes.recentlyRemoved().map(\.item) == [.eggs])
        try notes.bring(back: notes.recentlyRemoved().map(\.id))
        try boxes.bring(back: boxes.recentlyRemoved().map(\.id))
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(try boxes.notes(of: 2) == [.milk])
    }

    @Test func importThatReplacesKeepsOnlyWhatItRemoved() throws {
        let photos = try photos()
        let old = try photos.insert(Data("old".utf8))
        let stage = try photos.makeStage()
        try stage.write(Data("new".utf8))
        try stage.write(Data("not used".utf8))
        _ = try photos.write(importing: stage) { draft, files in
            try draft.remove(id: old.id)
            try draft.append(Photo(files[0]), file: files[0])
        }
        #expect(try photos.recentlyRemoved().map(\.item) == [old])
        let contents = try sandbox.contents(".removed")
        #expect(contents.contains(Data("old".utf8)) && !contents.contains(Data("not used".utf8)))
        try photos.bring(back: photos.recentlyRemoved().map(\.id))
        #expect(photos.count == 2)
        #expect(try photos.verify().isEmpty)
    }

    @Test func transferRemovesNothing() throws {
        let boxes = try twoBoxes()
        let others = try sandbox.boxes("others", options: options)
        try boxes.transfer([1], to: others)
        #expect(try boxes.recentlyRemoved().isEmpty)
        #expect(try others.recentlyRemoved().isEmpty)
    }
}
