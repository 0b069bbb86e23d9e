import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// The folder of other devices, and what marks a folder: lost, cut off, or written by several devices.
@Suite struct NetworkTests {
    private static let marker: FileName = "directory-replicas.txt"
    private let devices: [TestDevice]
    private let carrier: Carrier

    private var a: TestDevice { devices[0] }
    private var b: TestDevice { devices[1] }
    private var disk: MemoryFileSystem { a.disk }

    init() throws {
        (devices, carrier) = try makeDevices("a", "b")
        try a.projects.append(Project("Apollo"))
    }

    private func code(_ body: () throws -> Void) -> ReplicaError.Code? {
        #expect(throws: ReplicaError.self, performing: body)?.code
    }

    private func read(_ name: FileName, of device: TestDevice) throws -> String? {
        let folder = try disk.openFolder(at: device.shared.path)
        return try disk.readAll(name, in: folder).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Moves the shared folder of a device to another path.
    private func rename(_ one: String, to other: String) throws {
        let top = try disk.openFolder(at: one).path
        try #require(top == one)
        let parent = try disk.openFolder(at: URL(filePath: one).deletingLastPathComponent().path)
        let target = try disk.openFolder(at: URL(filePath: other).deletingLastPathComponent().path)
        try disk.rename(
            FileName(validating: URL(filePath: one).lastPathComponent), in: parent,
            to: FileName(validating: URL(filePath: other).lastPathComponent), in: target,
            replacing: false)
    }

    @Test func theFolderOfOtherDevicesIsRefusedBeforeAnythingIsWritten() throws {
        try settle(devices, carrier)
        let stranger = try TestDevice(
            "t", on: disk, environment: TestClock().environment(seed: 9))
        try stranger.projects.append(Project("Soyuz"))
        try stranger.sync()
        try b.projects.append(Project("Gemini"))
        // Somebody gives b the folder of the stranger.
        try rename("/b/shared", to: "/b/before")
        try rename("/t/shared", to: "/b/shared")
        let files = try carrier.files(from: "b")
        for _ in 0..<2 {
            #expect(code { try b.sync() } == .otherNetwork)
            #expect(code { try b.replica.remove(stranger.id) } == .otherNetwork)
            try b.restart()
        }
        #expect(try carrier.files(from: "b") == files)
        #expect(b.titles == ["Apollo", "Gemini"])
        // With its own folder all is as before.
        try rename("/b/shared", to: "/t/shared")
        try rename("/b/before", to: "/b/shared")
        try settle(devices, carrier)
        for device in devices { #expect(device.titles == ["Apollo", "Gemini"]) }
        #expect(b.replica.status == .idle)
    }

    @Test func whoLeavesCanBeginWithTheFolderOfOthers() throws {
        try settle(devices, carrier)
        let stranger = try TestDevice(
            "t", on: disk, environment: TestClock().environment(seed: 9))
        try stranger.projects.append(Project("Soyuz"))
        try stranger.sync()
        try rename("/b/shared", to: "/b/before")
        try carrier.copyFolder("/t/shared", to: "/b/shared")
        try b.replica.leave()
        try b.restart()
        try settle([b, stranger], carrier)
        for device in [b, stranger] { #expect(device.titles == ["Apollo", "Soyuz"]) }
    }

    @Test func aFolderThatIsGoneCanBeLeft() throws {
        try settle(devices, carrier)
        try disk.removeTree("shared", in: disk.openFolder(at: "/b"))
        try b.replica.leave()
        try b.restart()
        try b.projects.append(Project("Gemini"))
        try b.sync()
        #expect(try read(Self.marker, of: b)?.hasPrefix("directory-replicas 1") == true)
    }

    private func networks(_ device: TestDevice) throws -> Set<String> {
        let folder = try disk.openFolder(at: "\(device.shared.path)/networks")
        return Set(try disk.list(folder).map(\.string))
    }

    @Test func twoThatBeganAloneMeet() throws {
        try b.projects.append(Project("Gemini"))
        try a.sync()
        try b.sync()
        let (one, other) = try (networks(a), networks(b))
        #expect(one.count == 1 && other.count == 1 && one != other)
        // Engines find no conflict, because no name has two contents.
        #expect(try read(Self.marker, of: a) == read(Self.marker, of: b))
        try settle(devices, carrier)
        for device in devices {
            #expect(device.titles == ["Apollo", "Gemini"])
            #expect(try networks(device) == one.union(other))
        }
        // Each one knows both ids, also if the folder has the other one only.
        for (device, ids) in [(a, one), (b, other)] {
            try device.restart()
            let folder = try disk.openFolder(at: "\(device.shared.path)/networks")
            for id in ids { try disk.removeFile(FileName(validating: id), in: folder) }
            try disk.removeTree("replicas", in: disk.openFolder(at: device.shared.path))
            try device.sync()
            #expect(try networks(device) == one.union(other))
        }
    }

    @Test func veryManyIdsAreNotKept() throws {
        try a.sync()
        let own = try networks(a)
        let folder = try disk.openFolder(at: "\(a.shared.path)/networks")
        for number in 0..<600 {
            let id = DeviceID(high: 0, low: UInt64(number))
            _ = try disk.openFile(
                FileName(validating: id.description), in: folder, for: .create(mode: 0o644))
        }
        for _ in 0..<3 { try a.sync() }
        for name in try disk.list(folder) { try disk.removeFile(name, in: folder) }
        try a.sync()
        #expect(try networks(a).count == 256 && networks(a).isSuperset(of: own))
    }

    @Test(arguments: [0, 12, 20])
    func aMarkerThatIsCutOffIsWrittenAgain(_ length: Int) throws {
        try a.sync()
        try carrier.carry(from: a, to: b)
        let text = try #require(try read(Self.marker, of: b))
        let marker = "\(b.shared.path)/\(Self.marker)"
        for _ in 0..<2 {
            try carrier.edit(marker) { $0 = String(text.prefix(length)) }
            try b.sync()
            #expect(b.titles == ["Apollo"])
            #expect(try read(Self.marker, of: b) == text)
        }
    }

    @Test(arguments: [2, 19]) func aFlippedBitInTheMarkerStopsNoDevice(_ place: Int) throws {
        try settle(devices, carrier)
        let text = try #require(try read(Self.marker, of: b))
        try carrier.edit("\(b.shared.path)/\(Self.marker)") { text in
            var bytes = Array(text.utf8)
            bytes[place] ^= 1
            text = String(decoding: bytes, as: UTF8.self)
        }
        try b.projects.append(Project("Gemini"))
        try b.sync()
        #expect(b.replica.unusedFiles.count == 1)
        #expect(try read(Self.marker, of: b) == text)
        try settle(devices, carrier)
        #expect(a.titles == ["Apollo", "Gemini"])
    }

    /// Somebody removed what marks the folder; the files of devices in it say whose it is.
    @Test(arguments: [false, true]) func aFolderWithoutMarksIsKnownByItsFiles(_ isOurs: Bool) throws
    {
        try settle(devices, carrier)
        let shared = try disk.openFolder(at: b.shared.path)
        for name: FileName in [Self.marker, "networks"] { try disk.removeTree(name, in: shared) }
        if !isOurs { try disk.removeTree("replicas", in: shared) }
        try b.projects.append(Project("Gemini"))
        if isOurs {
            try settle(devices, carrier)
            #expect(a.titles == ["Apollo", "Gemini"])
            #expect(try !networks(a).isDisjoint(with: networks(b)))
        } else {
            #expect(code { try b.sync() } == .folderMissing)
        }
    }

    /// A device can be killed before it sends its first file, and then get a part of the marker from another one.
    @Test func aFolderWithoutFilesIsKnownByItsID() throws {
        try settle(devices, carrier)
        try disk.removeTree("replicas", in: disk.openFolder(at: b.shared.path))
        try carrier.edit("\(b.shared.path)/\(Self.marker)") { $0 = "direct" }
        try b.projects.append(Project("Gemini"))
        try settle(devices, carrier)
        #expect(a.titles == ["Apollo", "Gemini"])
    }

    @Test(arguments: [
        ("directory-replicas 2 x\n", ReplicaError.Code.newerFormat),
        ("directory-replicas 1 \n", .notAReplica), ("hello", .notAReplica),
        ("directory-replicas 1\n\n", .notAReplica),
    ])
    func aMarkerOfSomethingElseIsRefused(_ text: String, _ expected: ReplicaError.Code) throws {
        _ = try disk.openOrMakeFolder(at: b.shared.path, mode: 0o755)
        try carrier.edit("\(b.shared.path)/\(Self.marker)") { $0 = text }
        #expect(code { try b.sync() } == expected)
        #expect(try read(Self.marker, of: b) == text)
    }

    /// Something that is no folder, or no file, has the name of one.
    @Test(arguments: ["directory-replicas.txt", "replicas", "assets", "networks"] as [FileName])
    func whatStandsInThePlaceOfTheFoldersIsSetAside(_ name: FileName) throws {
        try settle(devices, carrier)
        let shared = try disk.openFolder(at: b.shared.path)
        try disk.removeTree(name, in: shared)
        if name == Self.marker {
            try disk.makeFolder(name, in: shared, mode: 0o755)
        } else {
            _ = try disk.openFile(name, in: shared, for: .create(mode: 0o644))
        }
        try b.projects.append(Project("Gemini"))
        try b.sync()
        #expect(b.replica.unusedFiles.map(\.reason) == ["it was in the place of \(name)"])
        try settle(devices, carrier)
        #expect(a.titles == ["Apollo", "Gemini"])
    }

    @Test func whatStandsInThePlaceOfTheFolderOfADeviceIsSetAside() throws {
        try settle(devices, carrier)
        let replicas = try disk.openFolder(at: "\(b.shared.path)/replicas")
        let name = try FileName(validating: b.id.description)
        try disk.removeTree(name, in: replicas)
        _ = try disk.openFile(name, in: replicas, for: .create(mode: 0o644))
        try b.projects.append(Project("Gemini"))
        try b.sync()
        try settle(devices, carrier)
        #expect(a.titles == ["Apollo", "Gemini"])
        #expect(b.replica.unusedFiles.map(\.reason) == ["it is not a folder"])
    }
}
