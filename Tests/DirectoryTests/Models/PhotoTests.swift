import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

struct PhotoTests {
    let sandbox: Sandbox
    let photos: Directory<Photo>

    init() throws {
        sandbox = try Sandbox()
        photos = try sandbox.photos("store")
    }

    @Test(arguments: [true, false]) func importedPhotosAreByteIdentical(_ moving: Bool) throws {
        let originals = try Fixtures.photos
        #expect(originals.count == 8)
        let sources = try originals.map {
            try sandbox.write(Data(contentsOf: $0), to: "in/\($0.lastPathComponent)")
        }
        let stage = try photos.makeStage()
        for source in sources {
            if moving { try stage.move(source) } else { try stage.copy(source) }
        }
        let inserted = try photos.insert(stage)
        #expect(inserted.map(\.name) == originals.map(\.lastPathComponent))
        for (photo, original) in zip(inserted, originals) {
            let bytes = try Data(contentsOf: original)
            #expect(try Data(contentsOf: photos.url(of: photo.id)) == bytes)
            #expect(photo.byteCount == bytes.count)
            #expect(photo.fileName.hasSuffix(".\(original.pathExtension)"))
        }
        #expect(try sandbox.tree("in").count == (moving ? 0 : 8))
        #expect(try sandbox.tree("store/photos").count == 8)
        #expect(try photos.verify().isEmpty)
    }

    @Test func importedCopiesHaveTheModeOfTheOptions() throws {
        try sandbox.write("x", to: "x.txt")
        try sandbox.setMode(0o644, of: "x.txt")
        let stage = try photos.makeStage()
        try stage.copy(sandbox.url("x.txt"))
        let photo = try photos.insert(stage)[0]
        #expect(sandbox.mode("store/photos/\(photo.fileName)") == 0o600)
    }

    @Test func dataIsInsertedInOrder() throws {
        let one = try photos.insert(Data([0xFF, 0xD8, 0xFF]), name: "Moon.JPEG")
        #expect(one.name == "Moon.JPEG")
        #expect(one.fileName == "\(one.id.uuidString).jpeg")
        #expect(abs(one.date.timeIntervalSinceNow) < 60)
        let more = try photos.insert([Data([1]), Data([2])])
        #expect(try more.map { try photos.data(of: $0.id) } == [Data([1]), Data([2])])
        #expect(photos.items.map(\.id) == [one.id] + more.map(\.id))
        #expect(try photos.insert([Data]()).isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test(arguments: [
        ("//é", ""), ("//é.png", ".png"), ("a/b.PNG", ".png"), ("a.b/c", ""), ("", ""), ("/", ""),
        ("a.\u{1F4A9}", ".\u{1F4A9}"), (".png", ""), ("a.", ""),
    ])
    func photoKeepsAnyName(_ name: String, _ suffix: String) throws {
        let photo = try photos.insert(Data([1]), name: name)
        #expect(photo.name == name)
        #expect(photo.fileName == photo.id.uuidString + suffix)
    }

    /// `CodingKeys` and `init(from:)` can lack a property without an error of the compiler.
    ///
    /// So no property of this photograph has its default value.
    @Test func recordHasAllProperties() throws {
        let photo = Photo(date: .distantFuture, name: "a", fileName: "b", byteCount: 1)
        let line = try JSONEncoder().encode(photo)
        let members = try JSONSerialization.jsonObject(with: line) as? [String: Any]
        let properties = Mirror(reflecting: photo).children.compactMap(\.label)
        #expect(Set(properties) == Set(members?.keys ?? [:].keys).union(["isLegacy"]))
        #expect(try JSONDecoder().decode(Photo.self, from: line) == photo)
    }

    @Test func readFirstReadsTheFirstPhotoInOrder() throws {
        #expect(try photos.readFirst() == nil)
        let inserted = try photos.insert([Data([1]), Data([2])])
        #expect(try photos.readFirst() == Data([1]))
        try photos.move(fromOffsets: [1], toOffset: 0)
        #expect(try photos.readFirst() == Data([2]))
        try FileManager.default.removeItem(at: photos.url(of: inserted[1].id))
        expectError(.assetMissing) { try photos.readFirst() }
    }

    @Test func photoCanBeStagedBeforeTheStoreExists() throws {
        let staged = try StagedAsset(Data([0xFF, 0xD8, 0xFF, 1]), name: "moon")
        #expect(staged.url.path.hasPrefix(FileManager.default.temporaryDirectory.path))
        #expect(staged.fileExtension == "jpg")
        #expect(staged.byteCount == 4)
        let photo = try photos.insert(staged)
        #expect(try photos.data(of: photo.id) == Data([0xFF, 0xD8, 0xFF, 1]))
        #expect(photo.name == "moon")
        #expect(photo.date == staged.date)
        #expect(!FileManager.default.fileExists(atPath: staged.url.path))
        expectError(.sourceMissing) { try photos.insert(staged) }
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func stagedFilesAreAllInsertedOrAllStay() throws {
        let staged = try [1, 2, 3].map { try StagedAsset(Data([$0])) }
        try staged[2].discard()
        expectError(.sourceMissing) { try photos.insert(staged) }
        #expect(photos.isEmpty)
        #expect(try staged[..<2].map { try Data(contentsOf: $0.url) } == [Data([1]), Data([2])])
        #expect(try sandbox.leftovers().isEmpty)
        #expect(try photos.insert(Array(staged[..<2])).map(\.byteCount) == [1, 1])
    }

    @Test func discardRemovesTheStagedFile() throws {
        let staged = try StagedAsset(Data([1]))
        try staged.discard()
        try staged.discard()
        #expect(!FileManager.default.fileExists(atPath: staged.url.path))
    }

    @Test func stagedFilesArePrivate() throws {
        let staged = try StagedAsset(Data([1]))
        defer { try? staged.discard() }
        let attributes = try FileManager.default.attributesOfItem(atPath: staged.url.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}
