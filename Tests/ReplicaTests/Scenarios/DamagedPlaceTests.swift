import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Files of items in a collection that cannot be read: the syncs go on without them.
@Suite struct DamagedPlaceTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let apollo = Project("Apollo")
    private let gemini = Project("Gemini")
    private let album = Album(folderName: "Day")

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try b.projects.append(contentsOf: [apollo, gemini])
        try b.albums(apollo.id).append(album)
    }

    private func change(_ path: String, of device: TestDevice, _ change: (inout String) -> Void)
        throws
    {
        try device.projects.close()
        try carrier.edit(path, change)
        try device.restart()
    }

    /// Removes the bytes of all photographs from the shared folder of each device.
    private func removeAssets() throws {
        for device in devices {
            let shared = try carrier.disk.openFolder(at: "/\(device.name)/shared")
            try carrier.disk.removeTree("assets", in: shared)
        }
    }

    @Test(arguments: [false, true])
    func aFileThatCannotBeReachedStopsNothingElse(_ wasMissing: Bool) throws {
        let photos = try b.albums(apollo.id).child(.photos, of: album.id)
        let photo = try photos.insert(Data([1]), name: "moon.jpg")
        let place = "/b/store/Apollo/Day/photos"
        let folder = try carrier.disk.openFolder(at: place)
        let name = try FileName(validating: photo.fileName)
        if wasMissing {
            try b.projects.close()
            try carrier.disk.removeFile(name, in: folder)
            try b.restart()
        }
        try settle(devices, carrier)
        if !wasMissing { try removeAssets() }
        try change("/b/store/Apollo/albums.json", of: b) { $0 = "#" + $0 }
        try a.projects.append(Project("Skylab"))
        try settle(devices, carrier)
        #expect(b.projects.items.map(\.title) == ["Apollo", "Gemini", "Skylab"])
        #expect(b.replica.unreadableCollections.count == 1)
        try change("/b/store/Apollo/albums.json", of: b) { $0 = String($0.dropFirst()) }
        try settle(devices, carrier)
        let ids = try b.albums(apollo.id).child(.photos, of: album.id).loaded().map(\.id)
        #expect(ids == [photo.id])
    }

    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func aNewFileThatCannotBeReadStopsNothingElse(_ afterOpening: Bool) throws {
        try settle(devices, carrier)
        let photo = try b.photos(gemini.id).insert(Data([1]), name: "moon.jpg")
        try b.restart(withoutFileOf: photo, afterOpening: afterOpening)
        try a.projects.append(Project("Skylab"))
        try b.projects.append(Project("Mercury"))
        try settle(devices, carrier)
        for device in devices { #expect(device.projects.count == 4) }
        #expect(b.replica.unusedFiles.count { $0.path.hasSuffix(photo.fileName) } == 1)
        #expect(try b.photos(gemini.id).loaded() == [photo])
        #expect(try a.photos(gemini.id).loaded().isEmpty)
        try b.restart()
        try settle(devices, carrier)
        #expect(b.replica.unusedFiles.isEmpty)
        #expect(try a.photos(gemini.id).data(of: photo.id) == Data([1]))
    }

    /// Nobody else may have the bytes, so the photo stays where it is until they can be read.
    @Test(arguments: [false, true])
    func aFileThatCannotBeReadAfterAMoveStopsNothingElse(_ afterOpening: Bool) throws {
        try settle(devices, carrier)
        let photo = try b.photos(gemini.id).insert(Data([1]), name: "moon.jpg")
        try settle(devices, carrier)
        try a.photos(gemini.id).transfer([photo.id], to: a.photos(apollo.id))
        try a.projects.append(Project("Skylab"))
        try a.sync()
        try carrier.carry(from: a, to: b)
        try removeAssets()
        try b.restart(withoutFileOf: photo, afterOpening: afterOpening)
        try b.sync()
        #expect(b.projects.count == 3)
        #expect(b.replica.unusedFiles.count { $0.path.hasSuffix(photo.fileName) } == 1)
        #expect(try b.photos(gemini.id).loaded().map(\.id) == [photo.id])
        try b.restart()
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.photos(gemini.id).loaded().isEmpty)
            #expect(try device.photos(apollo.id).data(of: photo.id) == Data([1]))
        }
    }

    /// Nor does it go with an album that others have moved, because nobody else has the bytes.
    @Test func anAlbumWithANewFileThatCannotBeReadStays() throws {
        try settle(devices, carrier)
        let photo = try b.albums(apollo.id).child(.photos, of: album.id)
            .insert(Data([1]), name: "moon.jpg")
        try b.restart(withoutFileOf: photo)
        try a.albums(apollo.id).transfer([album.id], to: a.albums(gemini.id))
        try settle(devices, carrier)
        #expect(try b.albums(apollo.id).loaded().map(\.id) == [album.id])
        try b.restart()
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.albums(apollo.id).loaded().isEmpty)
            let photos = try device.albums(gemini.id).child(.photos, of: album.id)
            #expect(try photos.data(of: photo.id) == Data([1]))
        }
    }

    /// Others may need it, but everything else does not.
    @Test func aFileThatCannotBeReadStopsNothingElse() throws {
        try settle(devices, carrier)
        let photo = try b.photos(gemini.id).insert(Data([1]), name: "moon.jpg")
        try settle(devices, carrier)
        try removeAssets()
        try b.restart(withoutFileOf: photo)
        try a.projects.append(Project("Skylab"))
        try settle(devices, carrier)
        #expect(b.projects.items.map(\.title) == ["Apollo", "Gemini", "Skylab"])
        #expect(b.replica.unusedFiles.count { $0.path.hasSuffix(photo.fileName) } == 1)
        try b.restart()
        try settle(devices, carrier)
        #expect(b.replica.unusedFiles.isEmpty)
        #expect(try carrier.files(from: "b").contains { $0.first == "assets" })
    }

    /// The app was started again, so nothing was known before the sync that fails.
    @Test func aSyncThatFailsShowsWhatItFound() throws {
        try b.notes(gemini.id).append(Note(text: "one"))
        try b.notes(apollo.id).append(Note(text: "two"))
        try settle(devices, carrier)
        try change("/b/store/Apollo/notes.json", of: b) { $0 = "#" + $0 }
        try b.restart { _, line in
            line.hasPrefix("rename ") && line.contains("/b/shared/replicas/")
                ? .fails(.noSpace) : .works
        }
        try b.notes(gemini.id).append(Note(text: "three"))
        #expect(throws: ReplicaError.self) { try b.sync() }
        #expect(b.replica.unreadableCollections.count == 1)
        #expect(b.replica.devices.count == 2)
    }
}
