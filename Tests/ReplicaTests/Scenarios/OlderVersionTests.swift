import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Items that moved, and whose newest version cannot be shown: they are shown as they were, at their new place.
@Suite struct OlderVersionTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let one = Project("One")
    private let two = Project("Two")
    private let photo: Photo

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try devices[0].projects.append(contentsOf: [one, two])
        photo = try devices[0].photos(one.id).insert(Data([1]), name: "moon.jpg")
        try settle(devices, carrier)
    }

    /// Carries everything but the bytes of photographs from `a` to `b`.
    private func carryWithoutAssets() throws {
        for file in try carrier.files(from: "a") where file.first != "assets" {
            try carrier.carry(file, from: "a", to: "b")
        }
    }

    private func data(_ device: TestDevice, _ project: Project) throws -> Data {
        let photos = try device.photos(project.id)
        #expect(try photos.loaded().map(\.id) == [photo.id])
        #expect(try photos.verify().isEmpty)
        return try photos.data(of: photo.id)
    }

    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func aPhotoThatMovedKeepsItsOldFileUntilTheNewOneArrives(_ isRemoved: Bool) throws {
        try a.photos(one.id).transfer([photo.id], to: a.photos(two.id))
        try a.replaceFile(of: photo.id, in: two.id, by: [2, 2])
        if isRemoved { try a.projects.remove(id: one.id) }
        try a.sync()
        try carryWithoutAssets()
        #expect(try b.sync().pending == 1)
        #expect(try data(b, two) == Data([1]))
        if !isRemoved { #expect(try b.photos(one.id).loaded().isEmpty) }
        for _ in 0..<2 {
            #expect(try b.sync().published == 0)
            #expect(b.replica.pending.map(\.byteCount) == [2])
            try b.restart()
        }
        try settle(devices, carrier)
        for device in devices { #expect(try data(device, two) == Data([2, 2])) }
        #expect(try a.sync().published == 0)
    }

    /// Something else has the name of the file, so it gets another one, which nobody else is told after a crash.
    @Test func aNumberOfTheOldFileIsNotPublishedAfterACrash() throws {
        let folder = try carrier.disk.openOrMakeFolder(at: "/b/store/Two/photos", mode: 0o755)
        _ = try carrier.disk.openFile(
            FileName(validating: photo.fileName), in: folder, for: .create(mode: 0o644))
        try a.photos(one.id).transfer([photo.id], to: a.photos(two.id))
        try a.replaceFile(of: photo.id, in: two.id, by: [2, 2])
        try a.sync()
        try carryWithoutAssets()
        try b.syncUntilCommit()
        #expect(try b.photos(two.id).data(of: photo.id) == Data([1]))
        #expect(try b.sync().published == 0)
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.photos(two.id).data(of: photo.id) == Data([2, 2]))
        }
    }

    /// The change is about the old version, so it loses nothing of the new one.
    @Test func aChangeOfThePhotoThatIsShownMeanwhileIsKept() throws {
        try a.photos(one.id).transfer([photo.id], to: a.photos(two.id))
        try a.replaceFile(of: photo.id, in: two.id, by: [2, 2])
        try a.sync()
        try carryWithoutAssets()
        try b.sync()
        try b.photos(two.id).update(id: photo.id) { $0.name = "sun.jpg" }
        try settle(devices, carrier)
        for device in devices {
            #expect(try data(device, two) == Data([2, 2]))
            #expect(try device.photos(two.id).loaded().map(\.name) == ["sun.jpg"])
        }
    }

    /// As an undo of its removal does that: the user has not seen the new version.
    @Test func aPhotoThatComesBackInAnOlderVersionReplacesNothing() throws {
        try a.replaceFile(of: photo.id, in: one.id, by: [2, 2])
        try a.sync()
        try carryWithoutAssets()
        #expect(try b.sync().pending == 1)
        let photos = try b.photos(one.id)
        let old = try #require(try photos.loaded().first)
        try photos.remove(id: photo.id)
        try b.sync()
        let stage = try photos.makeStage()
        try stage.write(Data([1]), name: "moon.jpg")
        try photos.write(importing: stage) { draft, assets in
            try draft.append(old, file: assets[0])
        }
        try b.sync()
        try settle(devices, carrier)
        for device in devices {
            let conflict = device.replica.conflicts.first { $0.member == "byteCount" }
            #expect(Set(conflict?.values.map(\.json) ?? []) == ["1", "2"])
        }
        let conflict = try #require(b.replica.conflicts.first { $0.member == "byteCount" })
        let new = try #require(conflict.values.first { $0.json == "2" })
        try b.replica.resolve(conflict, keeping: new)
        try settle(devices, carrier)
        for device in devices { #expect(try data(device, one) == Data([2, 2])) }
    }

    /// Its clock is slow, but its user has seen where the others have moved the photo.
    @Test func aPhotoInAnOlderVersionCanBeMovedOn() throws {
        let clock = TestClock()
        let disk = a.disk
        let c = try TestDevice(
            "c", on: disk, environment: clock.environment(seed: 3, skew: -3_600_000))
        try settle([a, c], carrier)
        try a.photos(one.id).transfer([photo.id], to: a.photos(two.id))
        try a.replaceFile(of: photo.id, in: two.id, by: [2, 2])
        try a.sync()
        for file in try carrier.files(from: "a") where file.first != "assets" {
            try carrier.carry(file, from: "a", to: "c")
        }
        try c.sync()
        try c.photos(two.id).transfer([photo.id], to: c.photos(one.id))
        try settle([a, c], carrier)
        for device in [a, c] { #expect(try data(device, one) == Data([2, 2])) }
    }

    /// A device has seen its own changes, also those that it made under another identity.
    @Test func aChangeAfterANewIdentityReplacesTheOneBefore() throws {
        try a.replaceFile(of: photo.id, in: one.id, by: [2, 2])
        try a.sync()
        try carryWithoutAssets()
        #expect(try b.sync().pending == 1)
        try b.photos(one.id).update(id: photo.id) { $0.name = "first" }
        try b.sync()
        let id = try #require(b.replica.devices.first { $0.isThis }?.id)
        try a.replica.remove(id)
        try carryWithoutAssets()
        try b.sync()
        #expect(b.replica.devices.first { $0.isThis }?.id != id)
        try b.photos(one.id).update(id: photo.id) { $0.name = "second" }
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.photos(one.id).loaded().map(\.name) == ["second"])
            #expect(device.replica.conflicts.isEmpty)
        }
    }

    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func aPhotoInAnAlbumThatMovedKeepsItsOldFile(_ isKilled: Bool) throws {
        let album = Album(folderName: "Album")
        try a.albums(one.id).append(album)
        let inside = try a.albums(one.id).child(.photos, of: album.id)
        let photo = try inside.insert(Data([1]), name: "moon.jpg")
        try settle(devices, carrier)
        try a.albums(one.id).transfer([album.id], to: a.albums(two.id))
        let photos = try a.albums(two.id).child(.photos, of: album.id)
        let stage = try photos.makeStage()
        try stage.write(Data([2, 2]), name: "moon.jpg")
        try photos.write(importing: stage) { draft, assets in
            _ = try draft.update(id: photo.id, file: assets[0]) { $0.replaceFile(by: assets[0]) }
        }
        try a.sync()
        try carryWithoutAssets()
        if isKilled { try b.syncUntilCommit() }
        #expect(try b.sync().pending == 1)
        func bytes(_ device: TestDevice) throws -> Data {
            try device.albums(two.id).child(.photos, of: album.id).data(of: photo.id)
        }
        #expect(try bytes(b) == Data([1]))
        try settle(devices, carrier)
        for device in devices { #expect(try bytes(device) == Data([2, 2])) }
        #expect(try a.sync().published == 0 && b.sync().published == 0)
    }

    /// A later version of the app has moved a container, and changed it so that this one cannot read it.
    @Test func anUnreadableContainerThatMovedIsShownAsItWas() throws {
        let album = Album(folderName: "Album")
        try a.albums(one.id).append(album)
        try a.albums(one.id).child(.notes, of: album.id).append(Note(text: "inside"))
        try settle(devices, carrier)
        try put(
            SegmentEntry(
                ItemReference("projects/albums", .uuid(album.id)), in: .uuid(two.id),
                setting: "{\"folderName\":{\"en\":\"Album\"}}"))
        try b.sync()
        #expect(b.replica.unreadableItems.map(\.id) == [album.id.uuidString])
        #expect(try b.albums(one.id).loaded().isEmpty)
        let notes = try b.albums(two.id).child(.notes, of: album.id)
        #expect(try notes.loaded().map(\.text) == ["inside"])
        try b.restart()
        #expect(try b.sync().published == 0)
        #expect(try b.albums(two.id).loaded().map(\.id) == [album.id])
    }

    /// Puts a segment of a device that has seen everything into the shared folder of `b`.
    private func put(_ entry: SegmentEntry) throws {
        let device = DeviceID(high: 1, low: 2)
        var seen = VersionVector()
        for name in try carrier.files(from: "b").filter({ $0.first == "replicas" }) {
            guard let other = DeviceID(name[1].string), let file = SegmentName(name[2]) else {
                continue
            }
            seen[other] = max(seen[other], file.number)
        }
        let header = SegmentHeader(
            device: device, number: 1, time: 1_800_000_000_000, seen: seen)
        try carrier.put(Segment(header: header, entries: [entry]), into: "b")
    }
}

extension SegmentEntry {
    fileprivate init(_ item: ItemReference, in container: ItemKey, setting members: String) {
        self.init(item)
        (self.container, set) = (.some(container), Array(members.utf8)[...])
    }
}
