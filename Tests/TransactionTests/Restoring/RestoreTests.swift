import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Collections that become what a copy of them is.
struct RestoreTests {
    let sandbox: Sandbox
    private var copy: URL { sandbox.url("backups/copy") }

    init() throws { sandbox = try Sandbox() }

    private func boxes(_ options: DirectoryOptions = .init()) throws -> Directory<Box> {
        try sandbox.boxes("store", options: options)
    }

    /// Two boxes with a note and a photograph each.
    private func twoBoxes(_ options: DirectoryOptions = .init()) throws -> Directory<Box> {
        let boxes = try boxes(options)
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        for (id, note) in [(1, Note.eggs), (2, .milk)] {
            try boxes.child(.notes, of: id).append(note)
            try boxes.child(.photos, of: id).insert(Data("photo \(id)".utf8))
        }
        return boxes
    }

    /// Its folder does not exist.
    @Test func collectionThatWasNeverWrittenIsRestored() throws {
        let boxes = try boxes()
        for _ in 1...2 { try boxes.copy(to: copy) }
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.restore(from: copy)
        #expect(boxes.isEmpty)
        try boxes.append(Box(id: 2, folderName: "Two"))
        _ = try boxes.merge(from: copy) { _, _ in .takeTheirs }
        #expect(boxes.items.map(\.id) == [2])
        try boxes.copy(to: copy)
        try boxes.restore(from: copy)
        #expect(boxes.items.map(\.id) == [2])
        try expectClean()
    }

    private func visible() throws -> [String: Sandbox.Entry] {
        try sandbox.tree("store").filter { !$0.key.hasPrefix(".") && !$0.key.contains("/.") }
    }

    private func expectClean(at location: SourceLocation = #_sourceLocation) throws {
        let boxes = try boxes()
        boxes.core.background.wait()
        #expect(try boxes.verify() == [], sourceLocation: location)
        #expect(
            try Directory.verify(below: sandbox.url("store")) == [], sourceLocation: location)
        #expect(try sandbox.leftovers("store").isEmpty, sourceLocation: location)
    }

    @Test func theCollectionBecomesWhatTheCopyIs() throws {
        let boxes = try twoBoxes()
        let before = try visible()
        try boxes.copy(to: copy)
        try boxes.write { draft in
            try draft.remove(id: 1)
            try draft.update(id: 2) { $0.folderName = "One" }
            try draft.append(Box(id: 3, folderName: "Two"))
            try draft.write(.notes, of: 3) { try $0.append(.salt) }
        }
        try boxes.child(.notes, of: 2).append(.salt)
        try boxes.restore(from: copy)
        #expect(boxes.items.map(\.id) == [1, 2])
        #expect(try boxes.notes(of: 1) == [.eggs] && boxes.notes(of: 2) == [.milk])
        try boxes.checkpoint()
        #expect(try visible() == before)
        try expectClean()
        // The copy is as it was, so that it can be brought up to date.
        #expect(try Directory.verify(below: copy) == [])
    }

    @Test func whatIsTheSameStaysInPlace() throws {
        let boxes = try twoBoxes()
        try boxes.copy(to: copy)
        let (same, changed) = try (boxes.child(.notes, of: 1), boxes.child(.notes, of: 2))
        try same.load()
        try changed.append(.salt)
        let inode = sandbox.status("store/One")?.identity
        try boxes.restore(from: copy)
        #expect(sandbox.status("store/One")?.identity == inode)
        try same.append(.salt)
        #expect(try boxes.notes(of: 1) == [.eggs, .salt])
        expectError(.containerRemoved) { try changed.append(.eggs) }
        #expect(try boxes.notes(of: 2) == [.milk])
        try expectClean()
    }

    @Test func filesOfAssetsAreThoseOfTheCopy() throws {
        let photos = try sandbox.photos("store")
        let inserted = try photos.insert((0..<4).map { Data("photo \($0)".utf8) })
        let before = try visible()
        try photos.copy(to: copy)
        try photos.remove(id: inserted[0].id)
        try Data("edited".utf8).write(to: photos.url(of: inserted[1].id))
        try photos.insert(Data("new".utf8))
        try photos.move(fromOffsets: [1], toOffset: 0)
        let inode = sandbox.status("store/photos/\(inserted[3].fileName)")?.identity
        try photos.restore(from: copy)
        #expect(Array(photos.items) == inserted)
        try photos.checkpoint()
        #expect(try visible() == before)
        #expect(sandbox.status("store/photos/\(inserted[3].fileName)")?.identity == inode)
        #expect(try photos.verify() == [])
        photos.core.background.wait()
        #expect(try sandbox.leftovers("store").isEmpty)
        try photos.restore(from: copy)
        try photos.checkpoint()
        #expect(try visible() == before)
    }

    @Test func whatIsReplacedCanBeBroughtBack() throws {
        let keeping = DirectoryOptions(keepsRemoved: .days(1))
        let boxes = try twoBoxes(keeping)
        try boxes.copy(to: copy)
        try boxes.child(.notes, of: 2).append(.salt)
        try boxes.append(Box(id: 3, folderName: "Three"))
        try boxes.child(.notes, of: 3).append(.salt)
        try boxes.restore(from: copy)
        let removed = try boxes.recentlyRemoved()
        #expect(removed.map(\.item.id) == [2, 3])
        #expect(removed.map(\.isReplaced) == [true, false])
        try boxes.bring(back: [removed[1].id])
        #expect(try boxes.notes(of: 3) == [.salt])
        try boxes.remove(id: 2)
        try boxes.bring(back: [removed[0].id])
        #expect(try boxes.notes(of: 2) == [.milk, .salt])
        #expect(try boxes.verify() == [])
    }

    @Test func aNewCollectionBecomesWhatACopyIs() throws {
        let boxes = try twoBoxes()
        try boxes.copy(to: copy)
        let other = try sandbox.boxes("other")
        try other.restore(from: copy)
        #expect(try other.notes(of: 1) == [.eggs])
        #expect(try other.child(.photos, of: 2).loaded().count == 1)
        #expect(try Directory.verify(below: sandbox.url("other")) == [])
        // Nothing is shared with the copy.
        try other.child(.notes, of: 1).append(.salt)
        let again = try sandbox.boxes("again")
        try again.restore(from: copy)
        #expect(try again.notes(of: 1) == [.eggs])
    }

    @Test func emptyCopyEmptiesTheCollection() throws {
        let boxes = try boxes()
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.remove(id: 1)
        try boxes.copy(to: copy)
        try boxes.append(Box(id: 2, folderName: "Two"))
        try boxes.child(.notes, of: 2).append(.eggs)
        try boxes.restore(from: copy)
        #expect(boxes.isEmpty)
        #expect(!sandbox.exists("store/Two"))
        try expectClean()
    }

    @Test(
        arguments: Sweep.cases(
            [
                "inside", "top", "nothing", "element", "double", "photo", "shorter photo", "notes",
                "no notes", "folder",
            ], sample: 1))
    func damagedCopyChangesNothing(_ damage: String) throws {
        let boxes = try twoBoxes()
        try boxes.copy(to: copy)
        try boxes.child(.notes, of: 2).append(.salt)
        let before = try visible()
        switch damage {
        case "inside":
            try sandbox.write(#"[{"id":"x"},{"id":"x"}]"#, to: "backups/copy/Two/photos.json")
        case "top": try sandbox.write("[", to: "backups/copy/boxes.json")
        case "nothing": try sandbox.remove("backups/copy")
        case "photo", "shorter photo":
            let files = try sandbox.tree("backups/copy/Two/photos").keys
            let photo = try "backups/copy/Two/photos/\(#require(files.first))"
            try sandbox.remove(photo)
            if damage == "shorter photo" { try sandbox.write("phot", to: photo) }
        case "notes": try sandbox.write("text", to: "backups/copy/Two/notes.json")
        case "no notes": try sandbox.remove("backups/copy/Two/notes.json")
        case "folder": try sandbox.remove("backups/copy/Two")
        case "element": try sandbox.write(#"[{"id":1}]"#, to: "backups/copy/boxes.json")
        default:
            try sandbox.write(
                #"[{"id":1,"folderName":"One"},{"id":2,"folderName":"ONE"}]"#,
                to: "backups/copy/boxes.json")
        }
        expectError(.damagedCopy) { try boxes.restore(from: copy) }
        #expect(try visible() == before)
        try expectClean()
    }

    /// What a copy had when it was made is not missed once its collections say something else.
    @Test(arguments: Sweep.cases([true, false], sample: 1)) func aCopyThatWasChangedIsRestored(
        _ hasJournal: Bool
    ) throws {
        let boxes = try twoBoxes()
        try boxes.copy(to: copy)
        var options = DirectoryOptions()
        if hasJournal { options.journalThreshold = 0 }
        let changed = try Directory<Box>(at: copy, index: "boxes.json", options: options)
        let photos = try changed.child(.photos, of: 2)
        try photos.remove(ids: photos.items.map(\.id))
        try changed.remove(id: 1)
        if hasJournal { #expect(sandbox.exists("backups/copy/.boxes.journal")) }
        let process = ProcessFileSystem(LocalFileSystem())
        try Directory<Box>(at: sandbox.url("store"), index: "boxes.json", on: process)
            .restore(from: copy)
        #expect(try self.boxes().items.map(\.id) == [2])
        #expect(try self.boxes().child(.photos, of: 2).isEmpty)
        #expect(try self.boxes().notes(of: 2) == [.milk])
    }

    /// An append that died can leave an empty folder.
    @Test(arguments: [true, false]) func anEmptyFolderMakesWay(_ merges: Bool) throws {
        let boxes = try twoBoxes()
        let before = try visible()
        try boxes.copy(to: copy)
        try boxes.update(Box(id: 1, folderName: "Other"))
        try FileManager.default.createDirectory(
            at: sandbox.url("store/One"), withIntermediateDirectories: false)
        if merges {
            try boxes.merge(from: copy) { _, _ in .takeTheirs }
        } else {
            try boxes.restore(from: copy)
        }
        try boxes.checkpoint()
        #expect(try visible() == before)
        try expectClean()
    }

    @Test func whatNobodyOwnsIsNotReplaced() throws {
        let boxes = try twoBoxes()
        try boxes.copy(to: copy)
        try boxes.remove(id: 1)
        // Its folder is deleted in the background.
        boxes.core.background.wait()
        try sandbox.write("mine", to: "store/One/file")
        let before = try visible()
        expectError(.nameTaken) { try boxes.restore(from: copy) }
        #expect(try visible() == before)
        boxes.core.background.wait()
        #expect(try sandbox.leftovers("store").isEmpty)
        // What an editor has left undecodable would be lost.
        try boxes.close()
        try sandbox.write(#"[{"id":2,"folderName":"Two"},{"id":7}]"#, to: "store/boxes.json")
        expectError(.undecodable) { try self.boxes().restore(from: copy) }
    }

    @Test func othersSeeOneChange() async throws {
        let boxes = try twoBoxes()
        try await boxes.copy(to: copy)
        try await boxes.remove(ids: [1, 2])
        let other = try Directory<OtherBox>(at: sandbox.url("store"), index: "boxes.json")
        try await other.load()
        let changes = other.changes
        try await boxes.restore(from: copy)
        try await other.load()
        #expect(await changes.first(1).map(\.inserted) == [[1, 2]])
        #expect(try other.notes(of: 1) == [.eggs])
    }

    @Test func volumesInMemoryAreRestored() throws {
        let volume = MemoryVolume(at: sandbox.url)
        let boxes = try twoBoxes()
        try boxes.copy(to: copy)
        try boxes.remove(id: 1)
        volume.fail(.noSpace)
        expectError(.noSpace) { try boxes.restore(from: copy) }
        #expect(boxes.count == 1)
        try boxes.restore(from: copy)
        #expect(try boxes.notes(of: 1) == [.eggs])
    }
}
