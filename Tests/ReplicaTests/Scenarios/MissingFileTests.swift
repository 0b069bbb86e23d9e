import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Photos whose files were missing when they were published: only the device that has them shows them.
@Suite struct MissingFileTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let apollo = Project("Apollo")
    private let gemini = Project("Gemini")
    private let album = Album(folderName: "Album")

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try a.projects.append(contentsOf: [apollo, gemini])
        try a.albums(apollo.id).append(album)
        try settle(devices, carrier)
    }

    private func photos(_ device: TestDevice, in project: Project) throws -> Directory<Photo> {
        try device.albums(project.id).child(.photos, of: album.id)
    }

    /// Adds a photo on `a`, and removes its file before the sync.
    private func addPhoto() throws -> Photo {
        let photo = try photos(a, in: apollo).insert(Data([1]), name: "moon.jpg")
        let folder = try carrier.disk.openFolder(at: "/a/store/Apollo/Album/photos")
        try carrier.disk.removeFile(FileName(validating: photo.fileName), in: folder)
        try settle(devices, carrier)
        #expect(try photos(a, in: apollo).loaded().count == 1)
        #expect(try photos(b, in: apollo).loaded().isEmpty)
        return photo
    }

    @Test func aPhotoWithoutItsFileStays() throws {
        let photo = try addPhoto()
        try photos(a, in: apollo).update(id: photo.id) { $0.name = "sun.jpg" }
        try settle(devices, carrier)
        try a.restart()
        try settle(devices, carrier)
        #expect(try photos(a, in: apollo).loaded().map(\.name) == ["sun.jpg"])
    }

    /// Nobody can add a photo without its file, so it stops nothing else.
    @Test func anAlbumWithAPhotoWithoutItsFileMoves() throws {
        _ = try addPhoto()
        try b.albums(apollo.id).transfer([album.id], to: b.albums(gemini.id))
        try settle(devices, carrier)
        #expect(try a.albums(gemini.id).loaded().map(\.id) == [album.id])
        #expect(try a.albums(apollo.id).loaded().isEmpty)
    }

    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func aFileThatComesBackIsPublished(_ isRestarted: Bool) throws {
        let photo = try addPhoto()
        if isRestarted { try a.restart() }
        let folder = try carrier.disk.openFolder(at: "/a/store/Apollo/Album/photos")
        let file = try carrier.disk.openFile(
            FileName(validating: photo.fileName), in: folder, for: .create(mode: 0o644))
        try carrier.disk.write([1], to: file, at: 0)
        try settle(devices, carrier)
        #expect(try photos(b, in: apollo).data(of: photo.id) == Data([1]))
        for device in devices { #expect(try device.sync().published == 0) }
    }

    /// Until then, the others show the file that was replaced.
    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func aNewFileThatComesBackReplacesTheOldOne(_ isRestarted: Bool) throws {
        let photo = try a.photos(gemini.id).insert(Data([1]), name: "moon.jpg")
        try settle(devices, carrier)
        try a.replaceFile(of: photo.id, in: gemini.id, by: [2, 2])
        let new = try #require(try a.photos(gemini.id).loaded().first)
        let folder = try carrier.disk.openFolder(at: "/a/store/Gemini/photos")
        let name = try FileName(validating: new.fileName)
        try carrier.disk.removeFile(name, in: folder)
        try settle(devices, carrier)
        #expect(try a.photos(gemini.id).loaded() == [new])
        #expect(try b.photos(gemini.id).data(of: photo.id) == Data([1]))
        if isRestarted { try a.restart() }
        let file = try carrier.disk.openFile(name, in: folder, for: .create(mode: 0o644))
        try carrier.disk.write([2, 2], to: file, at: 0)
        try settle(devices, carrier)
        for device in devices {
            let photos = try device.photos(gemini.id)
            #expect(try photos.loaded().count == 1)
            #expect(try photos.data(of: photo.id) == Data([2, 2]))
            #expect(try photos.verify().isEmpty)
            #expect(try device.sync().published == 0)
        }
    }

    /// The other one is the newest then.
    @Test func aFileOfOthersReplacesANewFileThatIsMissing() throws {
        let photo = try a.photos(gemini.id).insert(Data([1]), name: "moon.jpg")
        try settle(devices, carrier)
        try a.replaceFile(of: photo.id, in: gemini.id, by: [2, 2])
        let new = try #require(try a.photos(gemini.id).loaded().first)
        let folder = try carrier.disk.openFolder(at: "/a/store/Gemini/photos")
        try carrier.disk.removeFile(FileName(validating: new.fileName), in: folder)
        try settle(devices, carrier)
        try b.replaceFile(of: photo.id, in: gemini.id, by: [3, 3, 3])
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.photos(gemini.id).data(of: photo.id) == Data([3, 3, 3]))
            #expect(try device.sync().published == 0)
        }
    }
}
