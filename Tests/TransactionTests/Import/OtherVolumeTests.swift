import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Sources on another volume: the memory file system of Linux.
@Suite(.enabled(if: OtherVolume.exists)) struct OtherVolumeTests {
    let sandbox: Sandbox
    let photos: Directory<Photo>
    let other: OtherVolume

    init() throws {
        sandbox = try Sandbox()
        photos = try sandbox.photos("store")
        other = try OtherVolume()
    }

    @Test func filesAreCopiedAndMovedFromAnotherVolume() throws {
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

    @Test func sourceThatChangesAfterItsCopyStays() throws {
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
