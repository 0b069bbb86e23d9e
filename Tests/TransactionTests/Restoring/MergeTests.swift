import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Collections that take in the items of others.
struct MergeTests {
    let sandbox: Sandbox
    private var other: URL { sandbox.url("other") }

    init() throws { sandbox = try Sandbox() }

    /// Boxes with a note of the same title each, in a folder.
    private func boxes(_ path: String, _ items: [(Int, String, String)]) throws -> Directory<Box> {
        let boxes = try sandbox.boxes(path)
        for (id, name, note) in items {
            try boxes.append(Box(id: id, folderName: name))
            try boxes.child(.notes, of: id).append(Note(id: 1, title: note))
            try boxes.child(.photos, of: id).insert(Data(note.utf8))
        }
        return boxes
    }

    private func title(_ boxes: Directory<Box>, _ id: Int) throws -> String? {
        try boxes.notes(of: id).first?.title
    }

    private func expectClean(_ boxes: Directory<Box>) throws {
        #expect(try boxes.verify() == [])
        #expect(try Directory.verify(below: sandbox.url("store")) == [])
        #expect(try sandbox.leftovers("store").isEmpty)
    }

    @Test func anItemThatIsAddedBesideTheOtherKeepsItsUnknownMembers() throws {
        let notes = try Directory<Note>(at: sandbox.url("store"), index: "notes.json")
        try notes.append(.eggs)
        let theirs = #"{"id":1,"title":"Theirs","new":"member"}"#
        try sandbox.write("[\n\(theirs)\n]\n", to: "other/notes.json")
        try notes.merge(from: sandbox.url("other")) { _, theirs in
            .keepBoth(Note(id: 9, title: theirs.title))
        }
        try notes.checkpoint()
        #expect(
            try sandbox.text("store/notes.json").contains(
                #"{"id":9,"title":"Theirs","new":"member"}"#))
    }

    @Test func newItemsComeWithAllTheyOwnAndOthersStay() throws {
        let store = try boxes("store", [(1, "One", "a"), (2, "Two", "b")])
        try store.copy(to: other)
        let theirs = try sandbox.boxes("other")
        try theirs.append(Box(id: 3, folderName: "Three"))
        try theirs.child(.notes, of: 3).append(.salt)
        let inode = sandbox.status("store/One")?.identity
        let report = try store.merge(from: other) { _, _ in
            Issue.record("all of the others are the same")
            return .takeTheirs
        }
        #expect(report.added == [3] && report.replaced.isEmpty && report.kept.isEmpty)
        #expect(store.items.map(\.id) == [1, 2, 3])
        #expect(try title(store, 3) == "Salt")
        #expect(sandbox.status("store/One")?.identity == inode)
        let again = try store.merge(from: other) { _, _ in .takeTheirs }
        #expect(again.added.isEmpty && again.replaced.isEmpty)
        try expectClean(store)
        #expect(try Directory.verify(below: other) == [])
    }

    @Test func whatDiffersIsDecidedItemByItem() throws {
        let store = try boxes("store", [(1, "One", "a"), (2, "Two", "b"), (3, "Three", "c")])
        // The line of 1 is the same, and what is in its folder is not.
        _ = try boxes("other", [(1, "One", "A"), (2, "Other", "B"), (3, "Three", "C")])
        let report = try store.merge(from: other) { mine, theirs in
            switch mine.id {
            case 1: .takeTheirs
            case 2: .keepMine
            default: .keepBoth(Box(id: 30, folderName: theirs.folderName + " (2)"))
            }
        }
        #expect(report.replaced == [1] && report.kept == [2, 3] && report.added == [30])
        #expect(try [1, 2, 3, 30].map { try title(store, $0) } == ["A", "b", "c", "C"])
        #expect(sandbox.exists("store/Three (2)/photos.json"))
        try expectClean(store)
    }

    /// Each name is free once all that leave are gone.
    @Test func itemsThatAreTakenCanHaveSwappedTheirNames() throws {
        let store = try boxes("store", [(1, "One", "a"), (2, "Two", "b")])
        _ = try boxes("other", [(1, "Two", "A"), (2, "One", "B")])
        let report = try store.merge(from: other) { _, _ in .takeTheirs }
        #expect(report.replaced == [1, 2])
        #expect(try [1, 2].map { try title(store, $0) } == ["A", "B"])
        #expect(store.items.map(\.folderName) == ["Two", "One"])
        try expectClean(store)
    }

    @Test func photosAreTheSameIfTheirBytesAre() throws {
        let photos = try sandbox.photos("store")
        let items = try photos.insert(["a", "b", "c"].map { Data($0.utf8) })
        try photos.copy(to: other)
        let theirs = try sandbox.photos("other")
        try Data("edited".utf8).write(to: theirs.url(of: items[1].id))
        try theirs.update(id: items[2].id) { $0.name = "renamed" }
        let new = try theirs.insert(Data("d".utf8))
        var asked: [Photo] = []
        let report = try photos.merge(from: other) { mine, _ in
            asked.append(mine)
            return .takeTheirs
        }
        #expect(asked == [items[1], items[2]])
        #expect(report.added == [new.id])
        #expect(try photos.data(of: items[1].id) == Data("edited".utf8))
        #expect(photos[id: items[2].id]?.name == "renamed")
        #expect(try photos.verify() == [])
        #expect(try sandbox.leftovers("store").isEmpty)
    }

    @Test func nameThatIsTakenCanBeChanged() throws {
        let store = try boxes("store", [(1, "One", "a")])
        _ = try boxes("other", [(2, "one", "b")])
        let before = try sandbox.tree("store").filter { !$0.key.contains("/.") }
        expectError(.nameTaken) { try store.merge(from: other) { _, _ in .keepMine } }
        #expect(try sandbox.tree("store").filter { !$0.key.contains("/.") } == before)
        try store.merge(from: other, changing: { $0.folderName += " (2)" }) { _, _ in .keepMine }
        #expect(try title(store, 2) == "b")
        struct Refused: Error {}
        try sandbox.boxes("other").update(id: 2) { $0.folderName = "Two" }
        #expect(throws: Refused.self) { try store.merge(from: other) { _, _ in throw Refused() } }
        expectError(.duplicateID) {
            try store.merge(from: other) { mine, _ in .keepBoth(mine) }
        }
        try expectClean(store)
    }

    @Test func whatIsReplacedCanBeBroughtBack() throws {
        try boxes("store", [(1, "One", "a")]).close()
        _ = try boxes("other", [(1, "One", "A")])
        let store = try sandbox.boxes("store", options: .init(keepsRemoved: .days(1)))
        try store.merge(from: other) { _, _ in .takeTheirs }
        #expect(try title(store, 1) == "A")
        let removed = try store.recentlyRemoved()
        #expect(removed.map(\.isReplaced) == [true])
        try store.remove(id: 1)
        try store.bring(back: removed.map(\.id))
        #expect(try title(store, 1) == "a")
    }

    @Test func damagedCollectionIsNotMerged() throws {
        let store = try boxes("store", [(1, "One", "a")])
        try sandbox.write("[", to: "other/boxes.json")
        expectError(.damagedCopy) { try store.merge(from: other) { _, _ in .keepMine } }
        #expect(try sandbox.leftovers("store").isEmpty)
    }

    @Test func mergeIsAllOrNothing() throws {
        let start = try {
            let disk = MemoryFileSystem()
            for (path, ids) in [("/store", [1, 2]), ("/other", [2, 3])] {
                let boxes = try open(path, on: disk)
                for id in ids {
                    try boxes.append(Box(id: id, folderName: "Box \(id)"))
                    try boxes.child(.notes, of: id).append(Note(id: 1, title: path))
                }
            }
            return disk.image
        }()
        let whole = ProcessFileSystem(MemoryFileSystem(start))
        try merge(on: whole)
        var sweep = Sweep()
        for call in sweep.numbers(below: whole.calls + 1, step: 12) {
            let disk = MemoryFileSystem(start)
            let process = ProcessFileSystem(disk) { $0 >= call ? .killed : .works }
            var isDone = false
            _ = Result {
                try merge(on: process)
                isDone = true
            }
            process.kill()
            try disk.buryOwners()
            let boxes = try open("/store", on: disk)
            try boxes.write { _ in }
            let place: Comment = "killed before call \(call), \(sweep)"
            let isMerged = boxes.count == 3
            #expect(isMerged || !isDone, place)
            #expect(try title(boxes, 1) == "/store", place)
            #expect(try title(boxes, 2) == (isMerged ? "/other" : "/store"), place)
            if isMerged { #expect(try title(boxes, 3) == "/other", place) }
            #expect(try boxes.verify() == [], place)
        }
    }

    private func open(_ path: String, on fileSystem: any FileSystem) throws -> Directory<Box> {
        try Directory(
            at: URL(filePath: path), index: "boxes.json", on: ProcessFileSystem(fileSystem))
    }

    private func merge(on process: ProcessFileSystem) throws {
        let boxes = try Directory<Box>(
            at: URL(filePath: "/store"), index: "boxes.json", on: process)
        try boxes.merge(from: URL(filePath: "/other")) { _, _ in .takeTheirs }
    }
}
