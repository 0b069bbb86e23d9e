import Directory
import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// What people are told about an import: the file that they chose, or the collection, whichever it is about.
struct ImportMessageTests {
    let sandbox: Sandbox
    let photos: Directory<Photo>

    init() throws {
        sandbox = try Sandbox()
        photos = try sandbox.photos("store")
        try sandbox.write("moon", to: "moon.jpg")
    }

    @Test func sourceMissing() throws {
        expectText(
            .sourceMissing, "Cannot import “nothing.jpg”: the file does not exist.",
            "It may have been moved or removed: choose it again."
        ) { try photos.insert(copying: [sandbox.url("nothing.jpg")]) }
    }

    @Test func sourceNotFile() throws {
        expectText(
            .sourceNotFile, "Cannot import “store”: it is a folder.",
            "Import the files in it instead."
        ) { try photos.insert(copying: [sandbox.makeFolder("store")]) }
        expectText(
            .sourceNotFile, "Cannot import “link”: it is a link.",
            "Import the file that it leads to instead."
        ) {
            let link = try sandbox.makeSymbolicLink("link", to: sandbox.url("moon.jpg"))
            try photos.insert(copying: [link])
        }
        expectText(
            .sourceNotFile, "Cannot import “pipe”: it is not a file.",
            "Choose another file."
        ) { try photos.insert(copying: [sandbox.makePipe("pipe")]) }
        expectText(
            .sourceNotFile, "Cannot import “a.jpg”: it is not a file.", "Choose a file."
        ) { try photos.insert(copying: [#require(URL(string: "https://example.org/a.jpg"))]) }
    }

    @Test func sourceOwned() throws {
        let photo = try photos.insert(Data([1]))
        let url = try photos.url(of: photo.id)
        expectText(
            .sourceOwned,
            "Cannot move an item: it is the file of an item of a collection.",
            "Copy the file instead of moving it."
        ) { _ = try photos.makeStage().move(url) }
    }

    @Test func assetMissing() throws {
        let photo = try photos.insert(Data([1]))
        try sandbox.remove("store/photos/\(photo.fileName)")
        expectText(
            .assetMissing,
            "Cannot find the file of an item of “photos”: its file is missing.",
            "Get the file back from a backup."
        ) { _ = try photos.data(of: photo.id) }
        let pieces = try sandbox.pieces("store")
        expectText(
            .assetMissing, "Cannot add an item to “pieces”: its file “a.txt” is missing.",
            "Import the file together with the item."
        ) { try pieces.append(Piece(id: 1, fileName: "a.txt")) }
    }

    @Test func notDownloaded() throws {
        let evicted = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("read") && call.hasSuffix(".txt") ? .fails(.deadlock) : .works
        }
        let photos = try Directory<Photo>(at: sandbox.url, index: "photos.json", on: evicted)
        let photo = try photos.insert(Data([1]), name: "a.txt")
        expectText(
            .notDownloaded,
            "Cannot find the file of an item of “photos”: "
                + "it is only in the cloud, and was not downloaded.",
            "Download it first, then try again."
        ) { _ = try photos.data(of: photo.id) }
    }

    @Test func stageClosed() throws {
        let stage = try photos.makeStage()
        let asset = try stage.copy(sandbox.url("moon.jpg"))
        let others = try sandbox.photos("others")
        expectText(
            .stageClosed,
            "Cannot import files into “photos”: "
                + "the files were prepared for another collection, or could not be imported.",
            "Import the files again."
        ) { try others.insert(stage) }
        expectText(
            .stageClosed, "Cannot use “moon.jpg”: it is not imported now.",
            "Import the files again."
        ) { try photos.write { try $0.append(Photo(asset), file: asset) } }
        expectText(
            .stageClosed,
            "Cannot import files into “photos”: the files are being imported just now.",
            "Wait until they are imported."
        ) {
            try photos.insert(stage) { _ in
                try stage.write(Data([1]))
                return Photo(asset)
            }
        }
        expectText(
            .stageClosed, "Cannot use “moon.jpg”: another item has it already.",
            "Import the file once for each item."
        ) {
            try photos.write(importing: stage) { draft, files in
                try draft.append(Photo(files[0]), file: files[0])
                try draft.append(Photo(files[0]), file: files[0])
            }
        }
        try photos.insert(stage)
        expectText(
            .stageClosed,
            "Cannot import files into “photos”: the files were imported or discarded before.",
            "Import the files again."
        ) { try photos.insert(stage) }
    }

    @Test func stagedFileIsNamedAsItsSource() throws {
        let staged = try StagedAsset(Data([1]), name: "moon.jpg")
        try staged.discard()
        let advice = "It may have been moved or removed: choose it again."
        expectText(
            .sourceMissing, "Cannot import “moon.jpg”: the file does not exist.", advice
        ) { try photos.insert(staged) }
        let unnamed = try StagedAsset(Data([1]))
        try unnamed.discard()
        expectText(
            .sourceMissing, "Cannot import “unnamed file”: the file does not exist.", advice
        ) { try photos.insert(unnamed) }
    }
}
