import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Links and pipes in place of the files and folders of the library.
@Suite(.timeLimit(.minutes(30))) struct HostileLinkTests {
    let store: HostileStore
    var sandbox: Sandbox { store.sandbox }

    init() throws { store = try HostileStore() }

    private struct Placed: PlacedContainer {
        var id: Int
        var parent: URL
        var folderName: String
    }

    /// Replaces what is at `path` by a symbolic link.
    private func link(_ path: String, to target: String) throws {
        if sandbox.exists(path) { try sandbox.remove(path) }
        try sandbox.makeSymbolicLink(path, to: sandbox.url(target))
    }

    @Test func linkInPlaceOfTheFolderOfAContainerIsNotFollowed() throws {
        try link("store/Good", to: "outside")
        let boxes = try sandbox.boxes("store")
        expectError(.nameTaken) { try boxes.child(.notes, of: 2) }
        store.useEverything(in: boxes, 2)
        try store.expectNothingOutside()
    }

    @Test func linkInPlaceOfTheFolderOfAPlacedContainerIsNotFollowed() throws {
        try link("store/Good", to: "outside")
        let placed = Placed(id: 2, parent: sandbox.url("store"), folderName: "Good")
        expectError(.ioFailure) { try placed.directory(.notes) }
        try sandbox.remove("store/Good")
        let notes = try placed.directory(.notes)
        try link("store/Good", to: "outside")
        expectError(.ioFailure) { try notes.load() }
        expectError(.ioFailure) { try notes.append(.salt) }
        try store.expectNothingOutside()
    }

    @Test func linkInPlaceOfTheAssetsFolderIsNotFollowed() throws {
        let photos = try sandbox.photos("store")
        let photo = try photos.insert(Data([1]))
        try sandbox.write("secret", to: "outside/photos/\(photo.fileName)")
        let outside = try sandbox.tree("outside")
        for folder in ["photos", "Photos"] {
            try link("store/\(folder)", to: "outside/photos")
            expectError(.ioFailure) { try photos.data(of: photo.id) }
            expectError(.ioFailure) { try photos.insert(Data([2])) }
            expectError(.ioFailure) { try photos.verify() }
            expectError(.ioFailure) { try photos.repair() }
            #expect(try sandbox.tree("outside") == outside)
            try sandbox.remove("store/\(folder)")
        }
        #expect(photos.count == 1)
    }

    @Test func removalOfAnAssetDoesNotFollowALink() throws {
        try sandbox.write("[]", to: "store/pieces.json")
        let pieces = try sandbox.pieces("store")
        try sandbox.write("mine", to: "store/pieces/secret.txt")
        try pieces.append(Piece(id: 1, fileName: "secret.txt"))
        try link("store/pieces", to: "outside/photos")
        try pieces.remove(id: 1)
        try pieces.checkpoint()
        try store.expectNothingOutside()
    }

    @Test func linkInPlaceOfAnAssetIsNotFollowed() throws {
        let photos = try sandbox.photos("store")
        let photo = try photos.insert(Data([1]))
        try link("store/photos/\(photo.fileName)", to: "outside/secret.txt")
        expectError(.assetMissing) { try photos.data(of: photo.id) }
        expectError(.assetMissing) { try photos.url(of: photo.id) }
        #expect(try photos.verify().map(\.kind) == [.missingAsset, .unknownFile])
        try photos.remove(id: photo.id)
        try photos.checkpoint()
        try store.expectNothingOutside()
    }

    @Test(arguments: [".staging", ".trash"]) func linkInPlaceOfTheStagingOrTrashFolderIsNotFollowed(
        _ name: String
    ) throws {
        let boxes = try sandbox.boxes("store")
        try link("store/\(name)", to: "outside")
        if name == ".staging" {
            expectError(.nameTaken) { try boxes.remove(id: 2) }
            expectError(.nameTaken) { try boxes.update(id: 2) { $0.folderName = "Renamed" } }
            #expect(sandbox.exists("store/Good/notes.json"))
        }
        store.useEverything(in: boxes, 2)
        try store.expectNothingOutside()
    }

    @Test(arguments: [true, false]) func linkOrFileInTheTrashIsRemoved(_ isLink: Bool) throws {
        let leftovers = try CrashLeftovers(of: "boxes.json", in: "store", sandbox)
        try sandbox.makeFolder("store/.trash")
        if isLink {
            try link(leftovers.trash, to: "outside")
        } else {
            try sandbox.write("text", to: leftovers.trash)
        }
        let boxes = try sandbox.boxes("store")
        try boxes.checkpoint()
        #expect(!sandbox.exists("store/.trash"))
        store.useEverything(in: boxes, 2)
        try store.expectNothingOutside()
    }

    @Test(arguments: [".staging", ".trash"]) func linkInPlaceOfATransactionIsNotFollowed(
        _ name: String
    ) throws {
        let leftovers = try CrashLeftovers(of: "boxes.json", in: "store", sandbox)
        try leftovers.write(.rename("Good", to: "Renamed", id: 2))
        try sandbox.move(leftovers.staging, to: "store/intent")
        try sandbox.makeFolder("store/\(name)")
        try link("store/\(name)/\(leftovers.name)", to: "outside")
        if let boxes = try? sandbox.boxes("store") { store.useEverything(in: boxes, 2) }
        try store.expectNothingOutside()
    }

    @Test func linkInPlaceOfTheIndexOrTheLockFileIsNotFollowed() throws {
        for (file, target) in [("boxes.json", "notes.json"), (".boxes.lock", "secret.txt")] {
            let text = try sandbox.text("store/\(file)")
            try link("store/\(file)", to: "outside/\(target)")
            expectError(.ioFailure) { try sandbox.boxes("store") }
            let boxes = try Directory<Box>(at: sandbox.url("store"), index: "boxes.json")
            expectError(.ioFailure) { try boxes.append(Box(id: 3, folderName: "Three")) }
            store.useEverything(in: boxes, 2)
            try store.expectNothingOutside()
            try sandbox.remove("store/\(file)")
            try sandbox.write(text, to: "store/\(file)")
        }
    }

    @Test func hardLinkInPlaceOfTheLockFileOrTheIndexIsNotWrittenTo() throws {
        try sandbox.remove("store/.boxes.lock")
        try sandbox.makeHardLink("store/.boxes.lock", to: "outside/secret.txt")
        let boxes = try Directory<Box>(at: sandbox.url("store"), index: "boxes.json")
        expectError(.ioFailure) { try boxes.append(Box(id: 3, folderName: "Three")) }
        try store.expectNothingOutside()
        let notes = try Directory<Note>(at: sandbox.url("store"), index: "notes.json")
        try sandbox.makeHardLink("store/notes.json", to: "outside/notes.json")
        try notes.append(.milk)
        try store.expectNothingOutside()
    }

    @Test(arguments: ["boxes.json", ".boxes.lock", ".staging", "Good"])
    func pipeIsAnErrorWithoutWaiting(_ name: String) throws {
        if sandbox.exists("store/\(name)") { try sandbox.remove("store/\(name)") }
        try sandbox.makePipe("store/\(name)")
        let boxes = try Directory<Box>(at: sandbox.url("store"), index: "boxes.json")
        expectError([".staging", "Good"].contains(name) ? .nameTaken : .ioFailure) {
            try boxes.load()
            _ = try boxes.child(.notes, of: 2)
            try boxes.update(id: 2) { $0.folderName = "Renamed" }
            try boxes.remove(id: 2)
        }
        #expect(sandbox.status("store/\(name)")?.kind == .other)
    }

    @Test func pipeInPlaceOfTheTrashKeepsChangesFromBeingUndone() throws {
        try sandbox.makePipe("store/.trash")
        let boxes = try Directory<Box>(
            at: sandbox.url("store"), index: "boxes.json", options: .init(undoLimit: 3))
        try boxes.remove(id: 2)
        #expect(!boxes.canUndo)
        #expect(sandbox.status("store/.trash")?.kind == .other)
    }

    @Test func pipeInPlaceOfAnIntentOrAnAssetIsAnErrorWithoutWaiting() throws {
        let leftovers = try CrashLeftovers(of: "pieces.json", in: "store", sandbox)
        try sandbox.makeFolder(leftovers.staging)
        try sandbox.makePipe("\(leftovers.staging)/intent")
        expectError(.ioFailure) { try sandbox.pieces("store") }
        try sandbox.remove("store/.staging")
        try sandbox.write(#"[{"fileName":"a","id":1,"title":""}]"#, to: "store/pieces.json")
        try sandbox.makeFolder("store/pieces")
        try sandbox.makePipe("store/pieces/a")
        expectError(.assetMissing) { try sandbox.pieces("store").data(of: 1) }
    }
}
