import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// The folder of other devices, and markers that are cut off, lost, or written twice.
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
        #expect(try read(Self.marker, of: b)?.hasPrefix("directory-replicas 1 ") == true)
    }

    /// Two devices begin before their folders meet, and an engine keeps one of the markers.
    @Test(arguments: [0, 1]) func twoThatBeganAloneMeet(_ winner: Int) throws {
        try b.projects.append(Project("Gemini"))
        try a.sync()
        try b.sync()
        #expect(try read(Self.marker, of: a) != read(Self.marker, of: b))
        try carrier.exchange(devices)
        let text = try #require(try read(Self.marker, of: devices[winner]))
        try carrier.edit("\(devices[1 - winner].shared.path)/\(Self.marker)") { $0 = text }
        try settle(devices, carrier)
        for device in devices {
            #expect(device.titles == ["Apollo", "Gemini"])
            #expect(try read(Self.marker, of: device) == text)
        }
        // It has the network of the marker now, also without any file that it knows.
        for device in devices {
            try disk.removeTree("replicas", in: disk.openFolder(at: device.shared.path))
            try device.sync()
        }
    }

    @Test func whoBeganAloneAndSentNothingTakesTheNetworkOfTheFolder() throws {
        try a.sync()
        try b.restart { _, line in line.contains("/b/shared/replicas/") ? .killed : .works }
        #expect(throws: ProcessFileSystem.Killed.self) { try b.sync() }
        try b.restart()
        let text = try #require(try read(Self.marker, of: a))
        try carrier.edit("\(b.shared.path)/\(Self.marker)") { $0 = text }
        try settle(devices, carrier)
        #expect(b.titles == ["Apollo"])
    }

    @Test(arguments: [0, 12, 20, 21, 40, 53])
    func aMarkerThatIsCutOffIsNoMarkerYet(_ length: Int) throws {
        try a.sync()
        try carrier.carry(from: a, to: b)
        let text = try #require(try read(Self.marker, of: b))
        let marker = "\(b.shared.path)/\(Self.marker)"
        try carrier.edit(marker) { $0 = String(text.prefix(length)) }
        #expect(code { try b.sync() } == .folderMissing)
        #expect(try read(Self.marker, of: b)?.count == length)
        try carrier.edit(marker) { $0 = text }
        try settle(devices, carrier)
        #expect(b.titles == ["Apollo"])
        // A device that has used the folder writes it again.
        try carrier.edit(marker) { $0 = String(text.prefix(length)) }
        try b.sync()
        #expect(try read(Self.marker, of: b) == text)
    }

    @Test(arguments: [
        ("directory-replicas 2 x\n", ReplicaError.Code.newerFormat),
        ("directory-replicas 1\n", .notAReplica), ("hello", .notAReplica),
        ("directory-replicas 1 \(String(repeating: "a", count: 33))", .notAReplica),
        ("directory-replicas 1 \(String(repeating: "A", count: 32))\n", .notAReplica),
    ])
    func aMarkerOfSomethingElseIsRefused(_ text: String, _ expected: ReplicaError.Code) throws {
        _ = try disk.openOrMakeFolder(at: b.shared.path, mode: 0o755)
        try carrier.edit("\(b.shared.path)/\(Self.marker)") { $0 = text }
        #expect(code { try b.sync() } == expected)
        #expect(try read(Self.marker, of: b) == text)
    }

    /// Something that is no folder, or no file, has the name of one.
    @Test(arguments: ["directory-replicas.txt", "replicas", "assets"] as [FileName])
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
