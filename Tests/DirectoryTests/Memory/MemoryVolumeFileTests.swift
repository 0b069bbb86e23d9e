import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

struct MemoryVolumeFileTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func exists(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
    }

    @Test(arguments: [false, true])
    func urlOfAnAssetIsAFileWithItsBytes(_ isPreview: Bool) throws {
        let volume = isPreview ? nil : MemoryVolume(at: sandbox.url)
        let photos = try Directory<Photo>(
            parent: sandbox.url, fileName: "photos.json", isPreview: isPreview)
        let inserted = try [
            photos.insert(Data([1, 2, 3]), name: "moon.jpg"), photos.insert(Data([4]), name: "a"),
        ]
        for photo in inserted {
            let url = try photos.url(of: photo.id)
            #expect(try Data(contentsOf: url) == photos.data(of: photo.id))
            #expect(url.lastPathComponent == photo.fileName)
            #expect(try photos.url(of: photo.id) == url)
        }
        #expect(try photos.url(of: inserted[0].id).pathExtension == "jpg")
        #expect(try sandbox.paths() == [])
        withExtendedLifetime(volume) {}
    }

    @Test func fileThatTheSystemRemovedIsWrittenAgain() throws {
        let volume = MemoryVolume(at: sandbox.url)
        let photos = try Directory<Photo>(at: sandbox.url, index: "photos.json")
        let photo = try photos.insert(Data([1]), name: "moon.jpg")
        let first = try photos.url(of: photo.id)
        try FileManager.default.removeItem(at: first.deletingLastPathComponent())
        #expect(try Data(contentsOf: photos.url(of: photo.id)) == Data([1]))
        withExtendedLifetime(volume) {}
    }

    @Test func assetsWithTheSameNameHaveFilesOfTheirOwn() throws {
        let volume = MemoryVolume(at: sandbox.url)
        var urls: [URL] = []
        for folder in ["a", "b"] {
            let pieces = try Directory<Piece>(at: sandbox.url(folder), index: "pieces.json")
            let stage = try pieces.makeStage()
            try stage.write(Data(folder.utf8))
            try pieces.insert(stage) { _ in Piece(id: 1, fileName: "same.txt") }
            urls.append(try pieces.url(of: 1))
        }
        #expect(try urls.map { try Data(contentsOf: $0) } == [Data("a".utf8), Data("b".utf8)])
        withExtendedLifetime(volume) {}
    }

    @Test func filesAreRemovedWithTheVolume() throws {
        var volume: MemoryVolume? = MemoryVolume(at: sandbox.url)
        var photos: Directory<Photo>? = try Directory(at: sandbox.url, index: "photos.json")
        let photo = try #require(try photos?.insert(Data([1]), name: "moon.jpg"))
        let url = try #require(try photos?.url(of: photo.id))
        #expect(volume != nil && exists(url))
        volume = nil
        #expect(exists(url))
        photos = nil
        #expect(!exists(url))
        #expect(!exists(url.deletingLastPathComponent().deletingLastPathComponent()))
    }

    @Test func filesOnTheDiskCanBeImported() throws {
        let volume = MemoryVolume(at: sandbox.url("Store"))
        try sandbox.write("bytes", to: "a.jpg")
        try sandbox.write("more", to: "b.jpg")
        let photos = try Directory<Photo>(at: sandbox.url("Store"), index: "photos.json")
        let stage = try photos.makeStage()
        try stage.copy(sandbox.url("a.jpg"))
        try stage.move(sandbox.url("b.jpg"))
        let inserted = try photos.insert(stage)
        #expect(
            try inserted.map { try photos.data(of: $0.id) }
                == ["bytes", "more"].map { Data($0.utf8) })
        #expect(try sandbox.paths() == ["a.jpg"])
        withExtendedLifetime(volume) {}
    }
}
