import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import Synchronization
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

    /// The removal is known to the device that moves the album, and not shown yet.
    @Test(arguments: [false, true]) func itMovesWhileTheRemovalArrives(_ isKilled: Bool) throws {
        try b.projects.remove(id: apollo.id)
        try b.sync()
        try carrier.carry(from: b, to: a)
        let hasJoined = Mutex(false)
        try a.restart { _, line in
            if line.hasPrefix("write "), line.hasSuffix("/.projects.replica") {
                hasJoined.withLock { $0 = true }
            } else if hasJoined.withLock({ $0 }), line.hasPrefix("create /a/store/") {
                return isKilled ? .killed : .fails(.noSpace)
            }
            return .works
        }
        #expect(throws: (any Error).self) { try a.sync() }
        try a.restart()
        try a.projects.load()
        try moveAlbum(a)
        try settle(devices, carrier)
        try expectAlbum(Self.all)
    }

    /// Its project was removed by devices that did not know the one that moved it, and they have forgotten it.
    @Test func itMovesOnADeviceThatOthersDoNotKnow() throws {
        let (disk, clock) = (carrier.disk, TestClock())
        var options = ReplicaOptions()
        options.memory = .zero
        let all = try ["x", "y", "late"].enumerated().map { number, name in
            try TestDevice(
                name, on: a.disk, options: options,
                environment: clock.environment(seed: UInt64(number + 40)))
        }
        func settle(_ devices: some Sequence<TestDevice>) throws {
            for _ in 0..<4 {
                clock.advance(1000)
                for device in devices { try device.sync() }
                try carrier.exchange(Array(devices))
            }
            for device in devices { try device.sync() }
        }
        let (pair, late) = (all.prefix(2), all[2])
        try all[0].projects.append(contentsOf: [apollo, gemini])
        try all[0].albums(apollo.id).append(album)
        let shelf = Shelf(apollo.id, album: album.id)
        try all[0].photos(shelf).insert(Data([0]), name: "0.jpg")
        try all[0].notes(shelf).append(Note(text: "1"))
        try settle(pair)
        try carrier.carry(from: all[0], to: late)
        try late.sync()
        try moveAlbum(late)
        clock.advance(1000)
        try late.sync()
        try all[1].projects.remove(id: apollo.id)
        try settle(pair)
        clock.advance(86_400_000)
        for device in pair {
            try disk.removeTree("replicas", in: disk.openFolder(at: device.shared.path))
            try device.sync()
        }
        try settle(pair)
        try settle(all)
        for device in all { #expect(try contents(device) == ["0.jpg", "1"], "\(device.name)") }
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

    /// It moved away and back, and stays where it is shown.
    @Test func itComesBackToWhereItWas() throws {
        try b.projects.remove(id: apollo.id)
        try b.sync()
        let shelf = Shelf(apollo.id, album: album.id)
        try devices[2].notes(shelf).append(Note(text: "new"))
        try devices[2].sync()
        try carrier.exchange([b, devices[2]])
        for device in [b, devices[2]] {
            try device.sync()
            #expect(try device.photos(shelf).loaded().isEmpty)
        }
        try moveAlbum(a)
        try a.sync()
        try a.albums(gemini.id).load()
        try a.albums(gemini.id).transfer([album.id], to: a.albums(apollo.id))
        try a.sync()
        try settle(devices, carrier)
        for device in devices {
            #expect(try device.photos(shelf).loaded().count == 3, "\(device.name)")
            #expect(try Set(device.notes(shelf).loaded().map(\.text)) == ["1", "2", "new"])
            #expect(try device.notes(apollo.id).loaded().isEmpty)
        }
    }

    /// A container in a container in one that moved.
    @Test func whatIsDeepInsideFollows() {
        let kinds = ["k", "k/a", "k/a/b", "k/a/b/c"]
        let items = kinds.map { ItemReference($0, .text("1")) }
        let other = ItemReference("k", .text("2"))
        func entry(_ item: ItemReference, in container: ItemKey?) -> SegmentEntry {
            var entry = SegmentEntry(item)
            (entry.container, entry.position) = (.some(container), Position("V"))
            entry.set = Array("{}".utf8)[...]
            return entry
        }
        func segment(_ device: UInt64, _ entries: [SegmentEntry], seen: VersionVector) -> Segment {
            let header = SegmentHeader(
                device: DeviceID(high: 0, low: device), number: 1, time: 5, seen: seen)
            return Segment(header: header, entries: entries)
        }
        let added = items.map { entry($0, in: $0.kind == "k" ? nil : .text("1")) }
        let first = segment(1, added + [entry(other, in: nil)], seen: .init())
        let seen = VersionVector([first.header.device: 1])
        var moved = SegmentEntry(items[1])
        moved.container = .some(other.key)
        let removed = items.map { item in
            var entry = SegmentEntry(item)
            entry.removed = item.kind == "k" ? .item : .container
            return entry
        }
        for order in [[2, 3], [3, 2]] as [[UInt64]] {
            var state = MergeState()
            state.receive(first)
            var changed: Set<ItemReference> = []
            for device in order {
                changed = state.receive(
                    segment(device, device == 2 ? [moved] : removed, seen: seen))
            }
            #expect(items.map { state.isAlive($0) } == [false, true, true, true])
            #expect(items.map { state[$0]?.isAlive } == [false, true, true, true])
            #expect(changed.isSuperset(of: items.dropFirst()))
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
