import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// A container moves on one device while another one removes the container that it was in.
@Suite struct MovedContainerTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let apollo = Project("Apollo")
    private let gemini = Project("Gemini")
    private let album = Album(folderName: "Moon")

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b", "c")
        try a.projects.append(contentsOf: [apollo, gemini])
        try a.albums(apollo.id).append(album)
        let shelf = Shelf(apollo.id, album: album.id)
        for number in 0..<3 {
            try a.photos(shelf).insert(Data([UInt8(number)]), name: "\(number).jpg")
        }
        try a.notes(shelf).append(contentsOf: [Note(text: "1"), Note(text: "2")])
        try a.notes(apollo.id).append(Note(text: "of Apollo"))
        try settle(devices, carrier)
    }

    private func moveAlbum(_ device: TestDevice) throws {
        try device.albums(apollo.id).load()
        try device.albums(apollo.id).transfer([album.id], to: device.albums(gemini.id))
    }

    /// The names of photos and the texts of notes in the album.
    private func contents(_ device: TestDevice) throws -> [String] {
        let shelf = Shelf(gemini.id, album: album.id)
        let photos = try device.photos(shelf).loaded()
        for photo in photos {
            let bytes = try device.photos(shelf).data(of: photo.id)
            #expect("\(bytes[0]).jpg" == photo.name)
        }
        return try photos.map(\.name) + device.notes(shelf).loaded().map(\.text)
    }

    private func expectAlbum(_ names: [String]) throws {
        for device in devices {
            #expect(device.titles == ["Gemini"], "\(device.name)")
            #expect(try device.albums(gemini.id).loaded().map(\.id) == [album.id])
            #expect(try contents(device) == names, "\(device.name)")
            #expect(try device.projects.verify().isEmpty)
        }
    }

    private static let all = ["0.jpg", "1.jpg", "2.jpg", "1", "2"]

    @Test(arguments: [false, true]) func itArrivesWithItsContents(_ removesFirst: Bool) throws {
        try moveAlbum(a)
        try b.projects.remove(id: apollo.id)
        for device in removesFirst ? [b, a] : [a, b] { try device.sync() }
        try settle(devices, carrier)
        try expectAlbum(Self.all)
        // Also for a new device, and from a state.
        try carrier.disk.removeTree("replicas", in: carrier.disk.openFolder(at: "/a/shared"))
        try a.sync()
        let late = try TestDevice(
            "late", on: a.disk, environment: TestClock().environment(seed: 44))
        try carrier.carry(from: a, to: late)
        try settle([a, late], carrier)
        #expect(try contents(late) == Self.all)
    }

    @Test func whatWasRemovedFromItAloneStaysRemoved() throws {
        try moveAlbum(a)
        let shelf = Shelf(apollo.id, album: album.id)
        let first = try #require(try devices[2].photos(shelf).loaded().first)
        try devices[2].photos(shelf).remove(id: first.id)
        try b.projects.remove(id: apollo.id)
        try settle(devices, carrier)
        try expectAlbum(Array(Self.all.dropFirst()))
    }

    @Test func itIsChangedAndRemovedLaterAsAnyOther() throws {
        try moveAlbum(a)
        try b.projects.remove(id: apollo.id)
        try settle(devices, carrier)
        let shelf = Shelf(gemini.id, album: album.id)
        let notes = try b.notes(shelf).loaded()
        try b.notes(shelf).update(id: notes[0].id) { $0.text = "one" }
        try b.photos(shelf).remove(id: try #require(b.photos(shelf).loaded().first).id)
        try settle(devices, carrier)
        try expectAlbum(["1.jpg", "2.jpg", "one", "2"])
        for device in devices { try device.restart() }
        try settle(devices, carrier)
        try expectAlbum(["1.jpg", "2.jpg", "one", "2"])
        try devices[2].albums(gemini.id).load()
        try devices[2].albums(gemini.id).remove(id: album.id)
        try settle(devices, carrier)
        for device in devices { #expect(try device.albums(gemini.id).loaded().isEmpty) }
    }

    /// Whoever brings a container back without what was in it brings nothing else back.
    @Test func aContainerThatComesBackEmptyStaysEmpty() throws {
        try b.projects.remove(id: apollo.id)
        try settle(devices, carrier)
        try b.projects.append(apollo)
        try b.albums(apollo.id).append(album)
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.albums(apollo.id).loaded().map(\.id) == [album.id])
            #expect(try device.notes(apollo.id).loaded().isEmpty)
            let shelf = Shelf(apollo.id, album: album.id)
            #expect(try device.notes(shelf).loaded().isEmpty)
            #expect(try device.photos(shelf).loaded().isEmpty)
        }
    }

    @Test func bothProjectsAreRemoved() throws {
        try moveAlbum(a)
        try b.projects.remove(id: apollo.id)
        try devices[2].projects.remove(id: gemini.id)
        try settle(devices, carrier)
        try expectAlbum(Self.all)
    }

    /// Something was added in the removed project: it lives with that, and without the rest.
    @Test func aContainerThatDidNotMoveLosesWhatWasRemoved() throws {
        try a.notes(apollo.id).append(Note(text: "new"))
        try b.projects.remove(id: apollo.id)
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.notes(apollo.id).loaded().map(\.text) == ["new"])
            #expect(try device.albums(apollo.id).loaded().isEmpty)
        }
    }
}
