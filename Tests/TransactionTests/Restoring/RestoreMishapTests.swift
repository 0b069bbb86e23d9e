import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Restorings while somebody else has, takes or changes what they need.
struct RestoreMishapTests {
    let sandbox: Sandbox
    private var copy: URL { sandbox.url("copy") }
    private static let keeping = DirectoryOptions(keepsRemoved: .days(1))

    init() throws { sandbox = try Sandbox() }

    private func boxes(
        _ options: DirectoryOptions = .init(), on fileSystem: any FileSystem = LocalFileSystem()
    ) throws -> Directory<Box> {
        try Directory(
            at: sandbox.url("store"), index: "boxes.json", options: options,
            on: ProcessFileSystem(fileSystem))
    }

    /// Two boxes with a note each, of which there is a copy; box Two has changed since.
    private func changed(_ options: DirectoryOptions = .init()) throws -> Directory<Box> {
        let boxes = try boxes(options)
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        for (id, note) in [(1, Note.eggs), (2, .milk)] {
            try boxes.child(.notes, of: id).append(note)
        }
        try boxes.copy(to: copy)
        try boxes.child(.notes, of: 2).append(.salt)
        return boxes
    }

    /// Restores in a process that is killed right before it renames something to `name`.
    private func beginToRestore(
        _ collection: (any FileSystem) throws -> Directory<some Codable & Identifiable & Sendable>,
        killedBefore name: String
    ) throws {
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("rename ") && call.hasSuffix(name) ? .killed : .works
        }
        let copy = copy
        _ = Result { try collection(process).restore(from: copy) }
        #expect(process.isDead)
        try sandbox.buryOwners()
    }

    private func stage() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: sandbox.url("store/.staging").path)
        return "store/.staging/\(try #require(names.first))"
    }

    /// The volume of the collection is full, and the copy is on another one.
    @Test(arguments: [true, false]) func anErrorSaysWhichSideItIsAbout(_ isArchive: Bool) throws {
        try changed().close()
        let archive = sandbox.url("copy.zip")
        try boxes().archive(to: archive)
        let source = isArchive ? archive : copy
        let full = try boxes(
            on: ProcessFileSystem(LocalFileSystem()) { _, call in
                call.hasPrefix("sync ") && call.contains("/store/.staging/")
                    && call.contains("/new/") ? .fails(.noSpace) : .works
            })
        let error = expectError(.noSpace) { try full.restore(from: source) }
        #expect(error?.url == full.url)
        let progress = Progress(totalUnitCount: 1)
        progress.cancel()
        let boxes = try boxes()
        #expect(throws: CancellationError.self) {
            try boxes.restore(from: source, progress: progress)
        }
        let unreachable = archive.appending(path: "folder/copy")
        let errors = [
            expectError(.ioFailure) { try boxes.copy(to: unreachable) },
            expectError(.ioFailure) { try boxes.archive(to: unreachable) },
        ]
        #expect(errors.allSatisfy { $0?.url == unreachable })
    }

    /// The part in the journal and the copy become durable in one step, in any order.
    @Test func aPartWithoutTheCopyMovesNoFile() throws {
        let photos = try sandbox.photos("store")
        let photo = try photos.insert(Data("photo".utf8))
        try photos.copy(to: copy)
        try Data("edited".utf8).write(to: photos.url(of: photo.id))
        try photos.close()
        let store = sandbox.url("store")
        try beginToRestore(
            { try Directory<Photo>(at: store, index: "photos.json", on: $0) },
            killedBefore: "/old-1")
        try sandbox.remove("\(stage())/new")
        let again = try sandbox.photos("store")
        #expect(try again.data(of: photo.id) == Data("edited".utf8))
        #expect(try again.verify() == [])
    }

    @Test func aFolderWhoseNameSomebodyTookWaitsForIt() throws {
        try changed().close()
        try beginToRestore(
            { try boxes(on: $0) }, killedBefore: "/new/Two to \(sandbox.url("store/Two").path)")
        let stranger = try Directory<Note>(at: sandbox.url("store/Two"), index: "notes.json")
        try stranger.append(.eggs)
        try stranger.close()
        let again = try boxes()
        try again.load()
        expectError(.nameTaken) { try again.append(Box(id: 3, folderName: "Three")) }
        #expect(try again.verify().map(\.kind).contains(.leftoverTransaction))
        try sandbox.move("store/Two", to: "elsewhere")
        try again.append(Box(id: 3, folderName: "Three"))
        #expect(try again.notes(of: 2) == [.milk, .salt])
        again.core.background.wait()
        #expect(try again.verify() == [])
    }

    /// Somebody takes the place of a folder that a restoring has moved away, and repairs the store.
    @Test func aRepairKeepsWhatTheRestoringReplaced() throws {
        let store = try changed()
        try store.append(Box(id: 3, folderName: "Three"))
        try store.child(.notes, of: 3).append(.eggs)
        try store.close()
        try beginToRestore(
            { try boxes(on: $0) }, killedBefore: "/new/Two to \(sandbox.url("store/Two").path)")
        try sandbox.makeFolder("store/Two")
        try sandbox.write("mine", to: "store/Two/file.txt")
        let again = try boxes()
        expectError(.nameTaken) { try again.write { _ in } }
        _ = try again.repair()
        try again.checkpoint()
        #expect(try again.notes(of: 3) == [.eggs])
        // What was in the place of the copy's folder.
        #expect(try sandbox.text("store/boxes.recovered/Two/notes.json").contains("Salt"))
    }

    @Test func theFolderOfAReplacedItemComesBackUnderANameThatIsFree() throws {
        let boxes = try changed(Self.keeping)
        try boxes.restore(from: copy)
        try boxes.update(Box(id: 2, folderName: "Other"))
        try boxes.append(Box(id: 4, folderName: "Two"))
        let removed = try boxes.recentlyRemoved()
        #expect(removed.map(\.isReplaced) == [true])
        let before = try sandbox.tree("store")
        expectError(.nameTaken) { try boxes.bring(back: removed.map(\.id)) }
        #expect(try sandbox.tree("store").keys == before.keys)
        try boxes.bring(back: removed.map(\.id)) { $0.folderName = "New" }
        #expect(try boxes.notes(of: 2) == [.milk, .salt])
        #expect(sandbox.exists("store/New") && !sandbox.exists("store/Other"))
        #expect(try boxes.notes(of: 4) == [])
        #expect(try boxes.verify() == [])
    }

    /// The restoring has taken place then, and the next process keeps what was replaced.
    @Test func whatIsReplacedIsKeptAlsoIfItsFolderCannotBeMade() throws {
        try changed(Self.keeping).close()
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("make ") && call.hasSuffix("/.removed") ? .fails(.noSpace) : .works
        }
        let boxes = try Directory<Box>(
            at: sandbox.url("store"), index: "boxes.json", options: Self.keeping, on: process)
        try boxes.restore(from: copy)
        boxes.core.background.wait()
        process.kill()
        try sandbox.buryOwners()
        let again = try self.boxes(Self.keeping)
        try again.append(Box(id: 3, folderName: "Three"))
        again.core.background.wait()
        let removed = try again.recentlyRemoved()
        #expect(removed.map(\.isReplaced) == [true])
        try again.remove(id: 2)
        try again.bring(back: removed.map(\.id))
        #expect(try again.notes(of: 2) == [.milk, .salt])
    }

    /// Two notes, of which a restoring has replaced a newer one.
    private func restoredNotes() throws -> Directory<Note> {
        let notes = try Directory<Note>(
            at: sandbox.url("store"), index: "notes.json", options: Self.keeping)
        try notes.append(contentsOf: [.eggs, .milk])
        try notes.copy(to: copy)
        try notes.update(id: Note.milk.id) { $0.title = "Newer" }
        try notes.restore(from: copy)
        return notes
    }

    @Test func replacedValuesAreKept() throws {
        let notes = try restoredNotes()
        let removed = try notes.recentlyRemoved()
        #expect(removed.map(\.item.title) == ["Newer"])
        #expect(removed.map(\.isReplaced) == [true])
        try notes.bring(back: removed.map(\.id))
        #expect(notes.items.map(\.title) == [Note.eggs.title, "Newer"])
        #expect(try notes.recentlyRemoved().isEmpty)
        #expect(try notes.verify() == [])
    }

    /// An index that was edited can name the assets folder of another collection.
    @Test func theFilesOfAnotherCollectionStay() throws {
        try changed().close()
        try sandbox.photos("store").insert(Data("photo".utf8))
        for index in ["store/boxes.json", "copy/boxes.json"] {
            let text = try sandbox.text(index).replacing("\"Two\"", with: "\"photos\"")
            try sandbox.write(text, to: index)
        }
        try sandbox.remove("copy/.boxes.copy")
        try sandbox.move("copy/Two", to: "copy/photos")
        try boxes().restore(from: copy)
        #expect(try sandbox.contents().contains(Data("photo".utf8)))
        #expect(try sandbox.photos("store").verify() == [])
    }

    @Test func aCopyInsideOfWhatIsReplacedIsRefused() throws {
        let boxes = try changed()
        try boxes.close()
        try sandbox.move("copy", to: "store/Two/copy")
        let again = try self.boxes()
        expectError(.invalidLocation) { try again.restore(from: sandbox.url("store/Two/copy")) }
        expectError(.invalidLocation) {
            try again.merge(from: sandbox.url("store/Two/copy")) { _, _ in .takeTheirs }
        }
        let link = try sandbox.makeSymbolicLink("link", to: sandbox.url("store/Two/copy"))
        expectError(.invalidLocation) { try again.restore(from: link) }
        #expect(try again.notes(of: 2) == [.milk, .salt])
    }

    /// A replaced value, and the removal of the same item.
    @Test func ofSeveralVersionsOneComesBack() throws {
        let notes = try restoredNotes()
        try notes.remove(id: Note.milk.id)
        let removed = try notes.recentlyRemoved()
        #expect(Set(removed.map(\.item.title)) == ["Newer", Note.milk.title])
        expectError(.duplicateID) { try notes.bring(back: removed.map(\.id)) }
        for version in removed { try notes.bring(back: [version.id]) }
        #expect(notes.items.map(\.id) == [Note.eggs.id, Note.milk.id])
        #expect(try notes.verify() == [])
    }
}
