import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import Testing

/// A collection in a container that cannot be read: it waits, and everything else goes on.
@Suite struct DamagedIndexTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let apollo = Project("Apollo")
    private let gemini = Project("Gemini")

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try a.projects.append(contentsOf: [apollo, gemini])
        try a.notes(apollo.id).append(Note(text: "one"))
        try settle(devices, carrier)
    }

    private func breakIndex(_ path: String, of device: TestDevice) throws {
        try device.projects.close()
        try carrier.edit(path) { $0 = "#" + $0 }
        try device.restart()
    }

    private func repairIndex(_ path: String, of device: TestDevice) throws {
        try device.projects.close()
        try carrier.edit(path) { $0 = String($0.dropFirst()) }
        try device.restart()
    }

    private func moveToGemini(_ note: Note) throws {
        try b.projects.write { draft in
            try draft.write(.notes, of: apollo.id) { try $0.remove(id: note.id) }
            try draft.write(.notes, of: gemini.id) { try $0.append(note) }
        }
    }

    @Test func aDamagedIndexStopsNothingElse() throws {
        let note = try #require(try a.notes(apollo.id).loaded().first)
        let path = "/b/store/Apollo/notes.json"
        try breakIndex(path, of: b)
        try a.notes(apollo.id).append(Note(text: "two"))
        try a.notes(apollo.id).update(id: note.id) { $0.mark = "theirs" }
        try a.projects.update(id: apollo.id) { $0.note = "new" }
        try a.notes(gemini.id).append(Note(text: "three"))
        try b.projects.append(Project("Skylab"))
        try settle(devices, carrier)
        #expect(b.replica.unreadableCollections.map(\.url.path) == [path])
        #expect(b.projects.items.map(\.title) == ["Apollo", "Gemini", "Skylab"])
        #expect(b.projects.items[id: apollo.id]?.note == "new")
        #expect(try b.notes(gemini.id).loaded().map(\.text) == ["three"])
        #expect(try a.notes(apollo.id).loaded().map(\.text) == ["one", "two"])
        #expect(a.projects.items.map(\.title) == ["Apollo", "Gemini", "Skylab"])
        try repairIndex(path, of: b)
        // A change that is made before the next sync has not seen those of the others.
        try b.notes(apollo.id).update(id: note.id) { $0.mark = "ours" }
        try settle(devices, carrier)
        #expect(b.replica.unreadableCollections.isEmpty)
        for device in devices {
            #expect(try device.notes(apollo.id).loaded().map(\.text) == ["one", "two"])
            #expect(device.replica.conflicts.count == 1)
        }
    }

    @Test func aContainerWithADamagedIndexStays() throws {
        let path = "/b/store/Apollo/notes.json"
        try breakIndex(path, of: b)
        try a.projects.remove(id: apollo.id)
        try settle(devices, carrier)
        #expect(b.projects.items.map(\.title) == ["Apollo", "Gemini"])
        #expect(a.projects.items.map(\.title) == ["Gemini"])
        try repairIndex(path, of: b)
        try settle(devices, carrier)
        for device in devices { #expect(device.projects.items.map(\.title) == ["Gemini"]) }
    }

    /// Nobody knows whether an item was removed, if it may be in a collection that cannot be read.
    @Test func aNoteThatMayBeInADamagedIndexIsNotRemovedElsewhere() throws {
        try b.notes(gemini.id).append(Note(text: "two"))
        try settle(devices, carrier)
        let note = try #require(try b.notes(apollo.id).loaded().first)
        try moveToGemini(note)
        let path = "/b/store/Gemini/notes.json"
        try breakIndex(path, of: b)
        #expect(try b.sync().held == 1)
        try repairIndex(path, of: b)
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.notes(gemini.id).loaded().map(\.text) == ["two", "one"])
        }
    }

    /// It left while its collection could be read, and nobody has been told.
    @Test func aNoteThatHasLeftADamagedIndexIsMovedElsewhere() throws {
        let note = try #require(try b.notes(apollo.id).loaded().first)
        try b.notes(apollo.id).append(Note(text: "two"))
        try settle(devices, carrier)
        try moveToGemini(note)
        let path = "/b/store/Apollo/notes.json"
        try breakIndex(path, of: b)
        try settle(devices, carrier)
        #expect(try a.notes(gemini.id).loaded().map(\.text) == ["one"])
        #expect(try a.notes(apollo.id).loaded().map(\.text) == ["two"])
        try repairIndex(path, of: b)
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.notes(gemini.id).loaded().map(\.text) == ["one"])
            #expect(try device.notes(apollo.id).loaded().map(\.text) == ["two"])
        }
    }

    @Test func aContainerWithADamagedIndexGetsTheNameThatOthersGaveIt() throws {
        try breakIndex("/b/store/Apollo/notes.json", of: b)
        try a.projects.update(id: apollo.id) { $0.folderName = "Apollo 11" }
        try settle(devices, carrier)
        #expect(b.projects.items[id: apollo.id]?.folderName == "Apollo 11")
        try repairIndex("/b/store/Apollo 11/notes.json", of: b)
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.notes(apollo.id).loaded().map(\.text) == ["one"])
        }
    }

    /// The containers in such a collection cannot be found, so all that is in them waits, too.
    @Test func allInADamagedIndexOfContainersWaits() throws {
        let (day, night) = (Album(folderName: "Day"), Album(folderName: "Night"))
        try a.albums(apollo.id).append(contentsOf: [day, night])
        for album in [day, night] {
            let notes = try a.projects.child(.albums, of: apollo.id).child(.notes, of: album.id)
            try notes.append(Note(text: "\(album.folderName)"))
        }
        try settle(devices, carrier)
        let path = "/b/store/Apollo/albums.json"
        try breakIndex(path, of: b)
        try a.albums(apollo.id).remove(id: day.id)
        try a.albums(apollo.id).child(.notes, of: night.id).append(Note(text: "late"))
        try a.projects.remove(id: gemini.id)
        try settle(devices, carrier)
        #expect(b.projects.items.map(\.title) == ["Apollo"])
        #expect(try a.albums(apollo.id).loaded() == [night])
        try repairIndex(path, of: b)
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.albums(apollo.id).loaded() == [night])
            let notes = try device.albums(apollo.id).child(.notes, of: night.id)
            #expect(try notes.loaded().map(\.text) == ["Night", "late"])
        }
    }

    /// It is shown again at its new place.
    @Test func aNoteThatOthersMoveToADamagedIndexGoesWithItsOldContainer() throws {
        try b.notes(gemini.id).append(Note(text: "two"))
        try settle(devices, carrier)
        let note = try #require(try a.notes(apollo.id).loaded().first)
        let path = "/b/store/Gemini/notes.json"
        try breakIndex(path, of: b)
        try a.projects.write { draft in
            try draft.write(.notes, of: apollo.id) { try $0.remove(id: note.id) }
            try draft.write(.notes, of: gemini.id) { try $0.append(note) }
        }
        try a.projects.remove(id: apollo.id)
        try settle(devices, carrier)
        #expect(b.projects.items.map(\.title) == ["Gemini"])
        try repairIndex(path, of: b)
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.notes(gemini.id).loaded().map(\.text) == ["two", "one"])
        }
    }

    /// Its file is in the shared folder again before it goes.
    @Test func aPhotoThatOthersMoveToADamagedIndexKeepsItsFile() throws {
        try b.photos(gemini.id).insert(Data([2]), name: "sun.jpg")
        let photo = try b.photos(apollo.id).insert(Data([1]), name: "moon.jpg")
        try settle(devices, carrier)
        let path = "/b/store/Gemini/photos.json"
        try breakIndex(path, of: b)
        try a.photos(apollo.id).transfer([photo.id], to: a.photos(gemini.id))
        try a.projects.remove(id: apollo.id)
        try a.sync()
        try carrier.carry(from: a, to: b)
        for device in devices {
            let shared = try carrier.disk.openFolder(at: "/\(device.name)/shared")
            try carrier.disk.removeTree("assets", in: shared)
        }
        try b.sync()
        #expect(b.projects.items.map(\.title) == ["Gemini"])
        #expect(try carrier.files(from: "b").contains { $0.first == "assets" })
        try repairIndex(path, of: b)
        try b.sync()
        #expect(try b.photos(gemini.id).data(of: photo.id) == Data([1]))
    }

    @Test func aNameInADamagedIndexIsFreeInOtherCollections() throws {
        let morning = Album(folderName: "Morning")
        try a.albums(apollo.id).append(morning)
        try settle(devices, carrier)
        try a.albums(apollo.id).update(id: morning.id) { $0.folderName = "Day" }
        try settle(devices, carrier)
        let path = "/b/store/Apollo/albums.json"
        try breakIndex(path, of: b)
        let day = Album(folderName: "Day")
        try a.albums(gemini.id).append(day)
        try settle(devices, carrier)
        #expect(try b.albums(gemini.id).loaded() == [day])
        try repairIndex(path, of: b)
        try settle(devices, carrier)
        #expect(try b.albums(apollo.id).loaded().map(\.folderName) == ["Day"])
    }

    /// If it was a copy of another device, the collection could have what the others show elsewhere now.
    @Test func aNewDeviceDoesNotSyncWithADamagedIndex() throws {
        let c = try TestDevice(
            "c", on: a.disk, environment: TestClock().environment(seed: 3))
        try c.projects.append(Project("Skylab"))
        try c.notes(c.projects.items[0].id).append(Note(text: "two"))
        try breakIndex("/c/store/Skylab/notes.json", of: c)
        let error = #expect(throws: DirectoryError.self) { try c.sync() }
        #expect(error?.code == .damagedIndex && c.replica.unreadableCollections.count == 1)
        try repairIndex("/c/store/Skylab/notes.json", of: c)
        try settle([a, b, c], carrier)
        #expect(Set(a.projects.items.map(\.title)) == ["Apollo", "Gemini", "Skylab"])
    }
}
