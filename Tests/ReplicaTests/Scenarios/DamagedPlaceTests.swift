import Directory
import DirectoryReplicas
import FileSystem
import Foundation
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
        if !wasMissing {
            for device in devices {
                try carrier.disk.removeTree(
                    "assets", in: carrier.disk.openFolder(at: "/\(device.name)/shared"))
            }
        }
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

    /// The app was started again, so nothing was known before the sync that fails.
    @Test func aSyncThatFailsShowsWhatItFound() throws {
        try b.notes(gemini.id).append(Note(text: "one"))
        try b.notes(apollo.id).append(Note(text: "two"))
        try settle(devices, carrier)
        let note = try #require(try b.notes(gemini.id).loaded().first)
        try change("/b/store/Apollo/notes.json", of: b) { $0 = "#" + $0 }
        try b.notes(gemini.id).remove(id: note.id)
        #expect(throws: ReplicaError.self) { try b.sync() }
        #expect(b.replica.unreadableCollections.count == 1)
        #expect(b.replica.devices.count == 2)
    }
}
