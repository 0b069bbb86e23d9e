import Directory
import FileSystem
import Foundation
import TestSupport
import Testing

@Suite struct PhotoTests {
    let sandbox: Sandbox
    let photos: Directory<Photo>

    init() throws {
        sandbox = try Sandbox()
        photos = try sandbox.photos("store")
    }

    @Test(arguments: [true, false]) func photographsAreByteIdentical(_ moving: Bool) throws {
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
        chmod(sandbox.url("x.txt").path, 0o644)
        let stage = try photos.makeStage()
        try stage.copy(sandbox.url("x.txt"))
        let photo = try photos.insert(stage)[0]
        #expect(sandbox.mode("store/photos/\(photo.fileName)") == 0o600)
    }

    @Test func insertsOfData() throws {
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
    func anyNameCanBeRemembered(_ name: String, _ suffix: String) throws {
        let photo = try photos.insert(Data([1]), name: name)
        #expect(photo.name == name)
        #expect(photo.fileName == photo.id.uuidString + suffix)
    }

    @Test func firstPhotographIsTheFirstOfTheOrder() throws {
        #expect(try photos.readFirst() == nil)
        let inserted = try photos.insert([Data([1]), Data([2])])
        #expect(try photos.readFirst() == Data([1]))
        try photos.move(fromOffsets: [1], toOffset: 0)
        #expect(try photos.readFirst() == Data([2]))
        try FileManager.default.removeItem(at: photos.url(of: inserted[1].id))
        expectError(.assetMissing) { try photos.readFirst() }
    }

    @Test func stagedInTheTemporaryFolderBeforeThereIsAStore() throws {
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

    @Test func temporaryFilesAreAllInsertedOrAllStay() throws {
        let staged = try [1, 2, 3].map { try StagedAsset(Data([$0])) }
        try staged[2].discard()
        expectError(.sourceMissing) { try photos.insert(staged) }
        #expect(photos.isEmpty)
        #expect(try staged[..<2].map { try Data(contentsOf: $0.url) } == [Data([1]), Data([2])])
        #expect(try sandbox.leftovers().isEmpty)
        #expect(try photos.insert(Array(staged[..<2])).map(\.byteCount) == [1, 1])
    }

    @Test func discardOfATemporaryFile() throws {
        let staged = try StagedAsset(Data([1]))
        try staged.discard()
        try staged.discard()
        #expect(!FileManager.default.fileExists(atPath: staged.url.path))
    }

    @Test func temporaryFilesArePrivate() throws {
        let staged = try StagedAsset(Data([1]))
        defer { try? staged.discard() }
        let attributes = try FileManager.default.attributesOfItem(atPath: staged.url.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}

/// Sources on another volume; runs where the memory file system of Linux is one.
@Suite(.enabled(if: OtherVolume.isOne)) struct OtherVolumeTests {
    let sandbox: Sandbox
    let photos: Directory<Photo>
    let other: OtherVolume

    init() throws {
        sandbox = try Sandbox()
        photos = try sandbox.photos("store")
        other = try OtherVolume()
    }

    @Test func copyAndMoveAcrossVolumes() throws {
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) })
        let (copied, moved) = (other.url.appending(path: "c"), other.url.appending(path: "m"))
        try bytes.write(to: copied)
        try bytes.write(to: moved)
        let stage = try photos.makeStage()
        try stage.copy(copied)
        try stage.move(moved)
        #expect(FileManager.default.fileExists(atPath: moved.path))
        for photo in try photos.insert(stage) {
            #expect(try photos.data(of: photo.id) == bytes)
            #expect(sandbox.mode("store/photos/\(photo.fileName)") == 0o600)
        }
        #expect(FileManager.default.fileExists(atPath: copied.path))
        #expect(!FileManager.default.fileExists(atPath: moved.path))
    }

    @Test func sourceThatChangedAfterItWasCopiedIsNotRemoved() throws {
        let source = other.url.appending(path: "a")
        try Data("old".utf8).write(to: source)
        let stage = try photos.makeStage()
        try stage.move(source)
        let handle = try FileHandle(forWritingTo: source)
        try handle.write(contentsOf: Data("newer".utf8))
        let photo = try photos.insert(stage)[0]
        #expect(try photos.data(of: photo.id) == Data("old".utf8))
        #expect(try Data(contentsOf: source) == Data("newer".utf8))
    }

    @Test func transferAcrossVolumesIsRefused() throws {
        let far = try Directory<Photo>(at: other.url, index: "photos.json")
        let photo = try photos.insert(Data([1]))
        expectError(.crossVolume) { try photos.transfer([photo.id], to: far) }
        #expect(try photos.data(of: photo.id) == Data([1]))
        #expect(far.isEmpty)
        #expect(try photos.verify().isEmpty && far.verify().isEmpty)
    }
}

/// A folder of a test's own on another volume than the temporary folder.
final class OtherVolume: Sendable {
    static let isOne =
        device(of: "/dev/shm") != nil
        && device(of: "/dev/shm") != device(of: FileManager.default.temporaryDirectory.path)
    let url = URL(filePath: "/dev/shm/directory-tests-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    private static func device(of path: String) -> UInt64? {
        let files = LocalFileSystem()
        return try? files.status(of: files.openFolder(at: path)).identity.device
    }
}
