import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// What a copy of a collection at rest has.
struct CopyTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Two boxes in `store`, with photos, notes, a box inside the first one, and files of others.
    private func makeStore(options: DirectoryOptions = .init()) throws -> Directory<Box> {
        let boxes = try sandbox.boxes("store", options: options)
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        try boxes.child(.notes, of: 1).append(contentsOf: [.eggs, .milk])
        try boxes.child(.photos, of: 1).insert(Data("a photo".utf8), name: "a.jpg")
        let inner = try boxes.child(.parts, of: 1)
        try inner.append(Box(id: 3, folderName: "Three"))
        try inner.child(.photos, of: 3).insert((0..<20).map { Data("photo \($0)".utf8) })
        try boxes.child(.pieces, of: 2).load()
        try sandbox.write("a guide", to: "store/One/guide.txt")
        try sandbox.write("deep", to: "store/One/Papers/Old/letter.txt")
        try sandbox.makeFolder("store/Two/Empty")
        return boxes
    }

    /// The files and folders of the original that belong in the copy, which has no lock files.
    private func tree(_ path: String) throws -> [String: Sandbox.Entry] {
        try sandbox.copied(path).filter { !$0.key.hasSuffix(".lock") }
    }

    @Test func copyHasAllThatItemsOwnAtAnyDepth() throws {
        let boxes = try makeStore()
        let before = try sandbox.tree("store")
        try boxes.copy(to: sandbox.url("backups/today"))
        #expect(try tree("backups/today") == tree("store"))
        #expect(try tree("backups/today")["One/Three/photos.json"] != nil)
        #expect(try sandbox.tree("store") == before)
        #expect(try sandbox.paths().filter { $0.hasPrefix("backups/.") } == [])
    }

    @Test func copyHasTheFoldersOfItemsThatCannotBeDecoded() throws {
        _ = try makeStore().checkpoint()
        let text = try sandbox.text("store/boxes.json")
        try sandbox.write(text.replacing(#""id":1"#, with: #""id":"1""#), to: "store/boxes.json")
        let boxes = try Directory<OtherBox>(at: sandbox.url("store"), index: "boxes.json")
        try boxes.load()
        #expect(boxes.damagedItems.count == 1)
        try boxes.copy(to: sandbox.url("copy"))
        #expect(try tree("copy") == tree("store"))
    }

    @Test func copyOfACollectionWithoutFilesIsReported() throws {
        let progress = Progress(totalUnitCount: 100)
        try sandbox.boxes("store").copy(to: sandbox.url("copy"), progress: progress)
        #expect(progress.isFinished)
    }

    @Test func copyOpensAsAStoreThatVerifiesClean() throws {
        try makeStore().copy(to: sandbox.url("copy"))
        let copy = try sandbox.boxes("copy")
        #expect(copy.items.map(\.folderName) == ["One", "Two"])
        #expect(try copy.verify() == [])
        #expect(try copy.notes(of: 1) == [.eggs, .milk])
        let photos = try copy.child(.parts, of: 1).child(.photos, of: 3)
        #expect(try photos.loaded().count == 20)
        #expect(try photos.verify() == [])
        #expect(try photos.data(of: photos.items[7].id) == Data("photo 7".utf8))
        try copy.remove(id: 2)
        try copy.child(.notes, of: 1).append(.salt)
        #expect(try sandbox.boxes("store").items.count == 2)
        #expect(try sandbox.boxes("store").notes(of: 1) == [.eggs, .milk])
    }

    @Test func removalsInTheOriginalLeaveTheCopy() throws {
        let boxes = try makeStore()
        try boxes.copy(to: sandbox.url("copy"))
        let copied = try sandbox.copied("copy")
        let photos = try boxes.child(.photos, of: 1)
        try photos.load()
        try photos.remove(id: photos.items[0].id)
        try boxes.remove(id: 2)
        try boxes.checkpoint()
        #expect(try sandbox.copied("copy") == copied)
    }

    @Test func copyOfACopyIsEqual() throws {
        try makeStore().copy(to: sandbox.url("copy"))
        try sandbox.boxes("copy").copy(to: sandbox.url("second"))
        #expect(try tree("second") == tree("copy"))
    }

    @Test func whatIsBesideTheCollectionIsNotCopied() throws {
        let boxes = try makeStore()
        let own = try tree("store")
        try Directory<Note>(at: sandbox.url("store"), index: "notes.json").append(.eggs)
        try sandbox.photos("store").insert(Data("beside".utf8))
        try sandbox.write("mine", to: "store/mine.txt")
        try sandbox.write("mine", to: "store/Mine/mine.txt")
        try sandbox.write("hidden", to: "store/.hidden")
        try sandbox.write("hidden", to: "store/One/.hidden")
        try boxes.copy(to: sandbox.url("copy"))
        #expect(try sandbox.copied("copy") == own)
    }

    @Test func stagesAreNotCopied() throws {
        let boxes = try makeStore()
        let own = try tree("store")
        let stage = try boxes.child(.photos, of: 1).makeStage()
        try stage.write(Data("staged".utf8))
        try boxes.copy(to: sandbox.url("copy"))
        #expect(try sandbox.copied("copy") == own)
        #expect(stage.assets.count == 1)
    }

    @Test func copyOfAnAlbumHasItsPhotosOnly() throws {
        let photos = try makeStore().child(.photos, of: 1)
        try photos.load()
        try photos.copy(to: sandbox.url("album"))
        let fileName = photos.items[0].fileName
        #expect(
            try sandbox.copied("album").keys.sorted()
                == ["photos", "photos.json", "photos/\(fileName)"].sorted())
        #expect(try sandbox.photos("album").verify() == [])
    }

    @Test func emptyCollectionsAreCopied() throws {
        try sandbox.boxes("nothing").copy(to: sandbox.url("copy"))
        #expect(try sandbox.copied("copy").keys.sorted() == ["boxes.json"])

        let boxes = try sandbox.boxes("store")
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.copy(to: sandbox.url("one"))
        #expect(try sandbox.copied("one").keys.sorted() == ["One", "boxes.json"])
        try boxes.remove(id: 1)
        try boxes.checkpoint()
        try boxes.copy(to: sandbox.url("none"))
        #expect(try sandbox.copied("none").keys.sorted() == ["boxes.json"])
        #expect(try sandbox.boxes("none").isEmpty)
    }

    @Test func optionsDecideTheModesOfWhatIsNew() throws {
        let options = DirectoryOptions(filePermissions: 0o640, folderPermissions: 0o750)
        let boxes = try makeStore(options: options)
        try boxes.copy(to: sandbox.url("backups/copy"))
        #expect(try tree("backups/copy") == tree("store"))
        #expect(sandbox.mode("backups") == 0o750)
        #expect(sandbox.mode("backups/copy") == 0o750)
        #expect(sandbox.mode("backups/copy/boxes.json") == 0o640)
    }

    @Test func customEncodersNeedNotBeKnownForChildren() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let boxes = try makeStore(options: DirectoryOptions(encoder: encoder))
        try boxes.copy(to: sandbox.url("copy"))
        #expect(try tree("copy") == tree("store"))
    }

    @Test func symbolicLinksAndPipesAreLeftOut() throws {
        let boxes = try makeStore()
        let own = try tree("store")
        try sandbox.makeSymbolicLink("store/One/link", to: sandbox.url("store/Two"))
        try sandbox.makeSymbolicLink(
            "store/One/photos/link.jpg", to: sandbox.url("store/boxes.json"))
        try sandbox.makePipe("store/Two/pipe")
        try boxes.copy(to: sandbox.url("copy"))
        #expect(try sandbox.copied("copy") == own)
    }

    /// What others write into one of the two is not in the other.
    @Test func copyHasFilesOfItsOwn() throws {
        let boxes = try makeStore()
        try boxes.copy(to: sandbox.url("copy"))
        let own = try sandbox.tree("store")
        for (path, entry) in try sandbox.copied("copy") {
            guard case .file = entry else { continue }
            #expect(sandbox.status("copy/\(path)")?.linkCount == 1)
            let file = try FileHandle(forWritingTo: sandbox.url("copy/\(path)"))
            try file.seekToEnd()
            try file.write(contentsOf: Data("EDITED".utf8))
            try file.close()
        }
        #expect(try sandbox.tree("store") == own)
        #expect(try boxes.child(.photos, of: 1).verify().isEmpty)
    }
}
