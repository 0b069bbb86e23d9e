import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// What people and programs break, in a store and in a shared folder.
@Suite struct DamageTests {
    private let devices: [TestDevice]
    private let carrier: Carrier
    private let apollo = Project("Apollo")

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try a.projects.append(contentsOf: [apollo, Project("Gemini")])
        try a.notes(apollo.id).append(Note(text: "one"))
        try settle(devices, carrier)
    }

    private func damage(_ device: TestDevice) throws {
        try device.projects.close()
        try carrier.edit("/\(device.name)/store/projects.json") {
            $0 = $0.replacing("\"title\":\"Apollo\"", with: "\"title\":5")
        }
        try device.restart()
        try device.projects.load()
        #expect(device.projects.items.map(\.title) == ["Gemini"])
    }

    private func mend(_ device: TestDevice) throws {
        try device.projects.close()
        try carrier.edit("/\(device.name)/store/projects.json") {
            $0 = $0.replacing("\"title\":5", with: "\"title\":\"Apollo\"")
        }
        try device.restart()
    }

    @Test func aDamagedContainerStopsNothingElse() throws {
        try damage(b)
        try a.notes(apollo.id).append(Note(text: "two"))
        try a.notes(apollo.id).removeAll { $0.text == "one" }
        try a.projects.append(Project("Skylab"))
        try settle(devices, carrier)
        #expect(b.projects.items.map(\.title) == ["Gemini", "Skylab"])
        #expect(a.projects.items.map(\.title) == ["Apollo", "Gemini", "Skylab"])
        try mend(b)
        try settle(devices, carrier)
        for device in devices {
            #expect(Set(device.projects.items.map(\.title)) == ["Apollo", "Gemini", "Skylab"])
            #expect(try device.notes(apollo.id).loaded().map(\.text) == ["two"])
        }
    }

    @Test func anItemThatOthersRemovedWhileItWasDamagedDoesNotComeBack() throws {
        try damage(b)
        try a.projects.remove(id: apollo.id)
        try settle(devices, carrier)
        try mend(b)
        try settle(devices, carrier)
        for device in devices { #expect(device.projects.items.map(\.title) == ["Gemini"]) }
    }

    /// Nobody else knows of what only a newer version of the app can read, so it does not go with its container.
    @Test(arguments: Sweep.cases([false, true], sample: 1)) func aContainerWithUnreadableItemsStays(
        _ isInner: Bool
    ) throws {
        let id = UUID()
        let other = try #require(b.projects.items.first { $0.title == "Gemini" })
        try b.notes(other.id).append(Note(text: "two"))
        try settle(devices, carrier)
        try b.projects.close()
        let path = "/b/store/Apollo/notes.json"
        try carrier.edit(path) {
            $0 = $0.replacing("\n]", with: ",\n{\"id\":\"\(id)\",\"text\":{\"en\":\"new\"}}\n]")
        }
        try b.restart()
        if isInner { try a.notes(apollo.id).removeAll { _ in true } }
        try a.projects.remove(ids: [apollo.id, other.id])
        try settle(devices, carrier)
        #expect(a.projects.isEmpty && b.projects.items.map(\.title) == ["Apollo"])
        #expect(try b.notes(apollo.id).loaded().map(\.text) == ["one"])
        #expect(try b.sync().published == 0)
        try b.projects.close()
        try carrier.edit(path) { $0 = $0.replacing("{\"en\":\"new\"}", with: "\"new\"") }
        try b.restart()
        try settle(devices, carrier)
        for device in devices {
            #expect(device.projects.items.map(\.title) == ["Apollo"])
            #expect(try device.notes(apollo.id).loaded().map(\.text) == ["new"])
        }
    }

    /// Nobody has removed what could not be read, so others still have it, and the container that it is in.
    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func aRemovedContainerComesBackWithItsDamagedItem(
        _ isContainer: Bool
    ) throws {
        let album = Album(folderName: "Moon")
        try b.albums(apollo.id).append(contentsOf: [album, Album(folderName: "Sun")])
        try b.albums(apollo.id).child(.notes, of: album.id).append(Note(text: "two"))
        try b.notes(apollo.id).append(Note(text: "three"))
        try settle(devices, carrier)
        try b.projects.close()
        if isContainer {
            try carrier.edit("/b/store/Apollo/albums.json") {
                $0 = $0.replacing("\"Moon\"", with: "5")
            }
        } else {
            try carrier.edit("/b/store/Apollo/notes.json") {
                $0 = $0.replacing("\"one\"", with: "5")
            }
        }
        try b.restart()
        try b.sync()
        try b.projects.remove(id: apollo.id)
        try settle(devices, carrier)
        for device in devices {
            #expect(device.projects.items.map(\.title) == ["Apollo", "Gemini"])
            let albums = try device.albums(apollo.id)
            #expect(try albums.loaded().map(\.folderName) == (isContainer ? ["Moon"] : []))
            #expect(
                try device.notes(apollo.id).loaded().map(\.text) == (isContainer ? [] : ["one"]))
            guard isContainer else { continue }
            #expect(try albums.child(.notes, of: album.id).loaded().map(\.text) == ["two"])
        }
        #expect(try a.sync().published == 0 && b.sync().published == 0)
    }

    @Test func anItemThatOthersChangedWhileItWasDamagedGetsTheChange() throws {
        try damage(b)
        try a.projects.update(id: apollo.id) { $0.note = "new" }
        try settle(devices, carrier)
        try mend(b)
        try settle(devices, carrier)
        for device in devices { #expect(device.projects.items[id: apollo.id]?.note == "new") }
    }

    @Test func somethingElseWithTheNameOfAnAssetFolderIsSetAside() throws {
        let bytes = Data("moon".utf8)
        let hash = SHA256.hash(Array(bytes)).description
        for device in devices {
            let assets = try carrier.disk.openOrMakeFolder(
                at: "/\(device.name)/shared/assets", mode: 0o755)
            _ = try carrier.disk.openFile(
                FileName(validating: String(hash.prefix(2))), in: assets,
                for: .create(mode: 0o644))
        }
        try a.photos(apollo.id).insert(bytes, name: "moon.jpg")
        for _ in 0..<3 {
            for device in devices { try device.sync() }
            try removeFilesInTheWay(of: a, on: b)
            try carrier.carry(from: a, to: b)
        }
        #expect(try b.photos(apollo.id).loaded().map(\.name) == ["moon.jpg"])
    }

    /// Removes the files of `other` that have names of folders with assets of `one`, which no engine could bring there.
    private func removeFilesInTheWay(of one: TestDevice, on other: TestDevice) throws {
        let source = try carrier.disk.openFolder(at: "/\(one.name)/shared/assets")
        let target = try carrier.disk.openFolder(at: "/\(other.name)/shared/assets")
        for name in try carrier.disk.list(source)
        where try carrier.disk.status(of: name, in: source)?.kind == .folder
            && carrier.disk.status(of: name, in: target)?.kind == .file
        {
            try carrier.disk.removeFile(name, in: target)
        }
    }

    /// The bytes of a file, or the folder that they are in, and somebody else's folder, cannot be read.
    @Test(
        arguments: Sweep.cases([Errno.accessDenied, .ioError], sample: 1),
        Sweep.cases([false, true], sample: 1))
    func whatCannotBeOpenedStopsNothingElse(_ error: Errno, _ isFolder: Bool) throws {
        try a.photos(apollo.id).insert(Data("moon".utf8), name: "moon.jpg")
        try a.projects.append(Project("Skylab"))
        try a.sync()
        try carrier.carry(from: a, to: b)
        _ = try carrier.disk.openOrMakeFolder(at: "/b/shared/replicas/lost+found", mode: 0o755)
        let hash = SHA256.hash(Array("moon".utf8)).description
        try b.restart { _, line in
            let bad = isFolder ? "/assets/\(hash.prefix(2))" : "/\(hash)"
            let isBad = line.hasSuffix(bad) || line.hasSuffix("/lost+found")
            return line.hasPrefix("open ") && isBad ? .fails(error) : .works
        }
        try b.sync()
        #expect(b.projects.items.map(\.title) == ["Apollo", "Gemini", "Skylab"])
        #expect(try b.photos(apollo.id).loaded().isEmpty && b.replica.pending.count == 1)
        #expect(b.replica.unusedFiles.contains { $0.path.hasSuffix("lost+found") })
        try b.restart()
        try b.sync()
        #expect(try b.photos(apollo.id).loaded().map(\.name) == ["moon.jpg"])
    }

    @Test func aStrayFileInAContainerStopsNoImport() throws {
        try b.photos(apollo.id).insert(Data("sun".utf8), name: "sun.jpg")
        try settle(devices, carrier)
        let photo = try a.photos(apollo.id).insert(Data("moon".utf8), name: "moon.jpg")
        let stray = try carrier.disk.openFolder(at: "/b/store/Apollo/photos")
        _ = try carrier.disk.openFile(
            FileName(validating: photo.fileName), in: stray, for: .create(mode: 0o644))
        try a.projects.append(Project("Skylab"))
        try settle(devices, carrier)
        for device in devices {
            #expect(device.projects.items.map(\.title) == ["Apollo", "Gemini", "Skylab"])
            #expect(try device.photos(apollo.id).data(of: photo.id) == Data("moon".utf8))
        }
        #expect(try b.photos(apollo.id).loaded().count == 2)
    }

    /// Puts a file with one segment of a device that does not exist into the shared folder of `b`.
    private func put(_ entries: [SegmentEntry]) throws {
        let device = DeviceID(high: 1, low: 2)
        let header = SegmentHeader(device: device, number: 1, time: 5, seen: .init())
        try carrier.put(Segment(header: header, entries: entries), into: "b")
    }

    private func entry(_ id: UUID, at position: String, _ members: String) -> SegmentEntry {
        var entry = SegmentEntry(ItemReference("projects", .uuid(id)))
        (entry.container, entry.position) = (.some(nil), Position(position))
        entry.set = Array("{\"id\":\"\(id.uuidString)\",\(members)}".utf8)[...]
        return entry
    }

    @Test func anItemThatCannotBeReadStaysNamed() throws {
        let id = UUID()
        try put([entry(id, at: "V", "\"title\":7,\"folderName\":\"x\"")])
        for _ in 0..<3 {
            try b.sync()
            #expect(b.replica.unreadableItems.map(\.id) == [id.uuidString])
        }
    }

    @Test func aCollectionWithLongPositionsGetsNewOnes() throws {
        let start = String(repeating: "z", count: 254)
        try put(
            ["1", "2"].map {
                entry(UUID(), at: start + $0, "\"title\":\"\($0)\",\"folderName\":\"\($0)\"")
            })
        try b.sync()
        try b.projects.insert(Project("between"), at: 3)
        try settle(devices, carrier)
        #expect(a.projects.items.map(\.title) == ["Apollo", "Gemini", "1", "between", "2"])
        try b.projects.insert(Project("again"), at: 3)
        try settle(devices, carrier)
        let folder = try carrier.disk.openFolder(at: "/b/shared/replicas")
        let all = try carrier.disk.list(folder).flatMap { device in
            let files = try carrier.disk.openFolder(device, in: folder)
            return try carrier.disk.list(files).flatMap {
                try Segment.read((carrier.disk.readAll($0, in: files) ?? [])[...])
            }
        }
        let newest = all.flatMap { segment in segment.entries.filter { $0.container != nil } }
            .first { $0.set.map { String(decoding: $0, as: UTF8.self) }?.contains("again") == true }
        #expect(try #require(newest?.position).text.count < 32)
    }

    @Test(
        arguments: [(5000, 1)]
            + TestSize.choose(sample: [], gate: [(1, 17 << 20)], full: [(1, 17 << 20)]))
    func anItemThatOthersCouldNotReadIsNamed(idCount: Int, colorCount: Int) throws {
        let id = String(repeating: "x", count: idCount)
        let color = String(repeating: "r", count: colorCount)
        try a.tags(apollo.id).append(Tag(id: id, color: color))
        let error = #expect(throws: ReplicaError.self) { try a.sync() }
        #expect(error?.code == .unsupportedItem)
        try a.tags(apollo.id).removeAll { _ in true }
        try settle(devices, carrier)
    }
}
