import Directory
import DirectoryReplicas
import Foundation
import TestSupport
import Testing

/// Containers in containers, which move and are made between two syncs.
@Suite struct NestedTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let old = Project("Old")
    private let new = Project("New")
    private let album = Album(folderName: "Album")

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try a.projects.append(contentsOf: [old, new])
        try settle(devices, carrier)
    }

    private func notes(_ device: TestDevice) throws -> Directory<Note> {
        try device.albums(new.id).child(.notes, of: album.id)
    }

    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func aPhotoComesWithItsAlbum(_ isMoved: Bool) throws {
        if isMoved {
            try a.albums(old.id).append(album)
            try settle(devices, carrier)
            try a.albums(old.id).transfer([album.id], to: a.albums(new.id))
        } else {
            try a.albums(new.id).append(album)
        }
        let photo = try a.albums(new.id).child(.photos, of: album.id)
            .insert(Data("moon".utf8), name: "moon.jpg")
        try settle(devices, carrier)
        let photos = try b.albums(new.id).child(.photos, of: album.id)
        #expect(try photos.loaded().map(\.id) == [photo.id])
        #expect(try photos.data(of: photo.id) == Data("moon".utf8))
    }

    /// What is in an album that moved does not go with the container that it has left.
    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func anAlbumOutlivesTheContainerThatItHasLeft(_ isKept: Bool) throws {
        try a.albums(old.id).append(album)
        let inside = try a.albums(old.id).child(.notes, of: album.id)
        try inside.append(contentsOf: [Note(text: "1"), Note(text: "2")])
        try settle(devices, carrier)
        try a.albums(old.id).transfer([album.id], to: a.albums(new.id))
        try a.projects.remove(id: old.id)
        // Somebody else keeps that container.
        if isKept { try b.projects.update(id: old.id) { $0.note = "kept" } }
        try settle(devices, carrier)
        for device in devices {
            #expect(try notes(device).loaded().map(\.text) == ["1", "2"])
            #expect(device.projects.count == (isKept ? 2 : 1))
        }
        try notes(b).append(Note(text: "3"))
        try settle(devices, carrier)
        for device in devices {
            #expect(try notes(device).loaded().map(\.text) == ["1", "2", "3"])
        }
    }
}
