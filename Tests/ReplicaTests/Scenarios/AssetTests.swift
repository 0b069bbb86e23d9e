import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Files with names that people give, many files with wrong bytes, and calls of the system that fail for one file.
@Suite struct AssetTests {
    private struct Clip: Asset {
        var id = UUID()
        var fileName: String
    }

    private let clock = TestClock()
    private let disk = MemoryFileSystem()

    private func open(_ name: String, seed: UInt64) throws -> (Directory<Clip>, Replica) {
        let clips = try Directory<Clip>(
            at: URL(filePath: "/\(name)", directoryHint: .isDirectory), index: "clips.json",
            on: ProcessFileSystem(disk))
        let replica = try Replica(
            root: clips, in: URL(filePath: "/shared", directoryHint: .isDirectory), on: disk,
            children: [], options: .init(), environment: clock.environment(seed: seed))
        return (clips, replica)
    }

    /// The file gets its name with the same bytes again.
    @Test(arguments: ["beach.jpg", "moon-beach.jpg", "moon.jpeg", "moon"])
    func aNewNameOfAFileComesToTheOthers(_ name: String) throws {
        let ((a, first), (b, second)) = try (open("a", seed: 1), open("b", seed: 2))
        let clip = Clip(fileName: "moon.jpg")
        func write(_ body: (inout Directory<Clip>.Draft, StagedAsset) throws -> Void) throws {
            let stage = try a.makeStage()
            try stage.write(Data([1]), name: "moon.jpg")
            try a.write(importing: stage) { draft, assets in try body(&draft, assets[0]) }
            for replica in [first, second, first, second] { try replica.sync() }
        }
        try write { draft, file in try draft.append(clip, file: file) }
        try write { draft, file in
            _ = try draft.update(id: clip.id, file: file) { $0.fileName = name }
        }
        for clips in [a, b] {
            #expect(clips.items.map(\.fileName) == [name])
            #expect(try clips.data(of: clip.id) == Data([1]))
            #expect(try clips.verify().isEmpty)
        }
        #expect(try first.sync().published == 0 && second.sync().published == 0)
    }

    @Test func eachFileWithWrongBytesIsReadOnce() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let apollo = Project("Apollo")
        try a.projects.append(apollo)
        let files = (0..<8).map { Data([UInt8($0)]) }
        for data in files { try a.photos(apollo.id).insert(data, name: "moon.jpg") }
        try a.sync()
        try carrier.carry(from: a, to: b)
        for data in files.dropFirst() {
            let hash = SHA256.hash(Array(data)).description
            let folder = try carrier.disk.openFolder(at: "/b/shared/assets/\(hash.prefix(2))")
            let file = try carrier.disk.openFile(
                FileName(validating: hash), in: folder, for: .update)
            try carrier.disk.write([99], to: file, at: 0)
        }
        try b.sync()
        #expect(try b.photos(apollo.id).loaded().count == 1)
        #expect(b.replica.pending.count == 7)
        let opened = b.process.log.filter {
            let name = $0.split(separator: "/").last ?? ""
            return $0.hasPrefix("open ") && $0.contains("/assets/") && name.count == 64
        }
        // The good one is staged again with the plan that knows all wrong ones.
        #expect(opened.count == 9)
    }

    @Test func aFileIsPutBackAlsoAfterTheClockWasSetBack() throws {
        let a = try TestDevice("a", on: disk, environment: clock.environment(seed: 1))
        let apollo = Project("Apollo")
        try a.projects.append(apollo)
        try a.photos(apollo.id).insert(Data([1]), name: "moon.jpg")
        try a.sync()
        let shared = try disk.openFolder(at: "/a/shared")
        let hash = SHA256.hash([1]).description
        try disk.removeTree(
            FileName(validating: String(hash.prefix(2))), in: disk.openFolder("assets", in: shared))
        clock.advance(-365 * 86_400_000)
        try a.sync()
        let files = try Carrier(disk: disk).files(from: "a")
        #expect(files.contains { $0.last?.string == hash })
    }

    /// It came before the segment that names it, and removed items are forgotten at once.
    @Test func aFileThatNoItemHasStaysForADay() throws {
        let disk = clock.makeDisk()
        let carrier = Carrier(disk: disk)
        var options = ReplicaOptions()
        options.memory = .zero
        let devices = try ["a", "b"].enumerated().map { number, name in
            try TestDevice(
                name, on: disk, options: options,
                environment: clock.environment(seed: UInt64(number)))
        }
        let apollo = Project("Apollo")
        try devices[0].projects.append(apollo)
        try devices[0].photos(apollo.id).insert(Data([1]), name: "moon.jpg")
        try devices[0].sync()
        func assets(of device: String) throws -> [[FileName]] {
            try carrier.files(from: device).filter { $0.first == "assets" }
        }
        let asset = try #require(try assets(of: "a").first)
        try carrier.carry(asset, from: "a", to: "b")
        for hours in [0, 2, 23] {
            clock.advance(hours * 3_600_000)
            try devices[1].sync()
            #expect(try assets(of: "b") == (hours < 23 ? [asset] : []), "\(hours)")
        }
    }

    /// The status of another device's file, or the removal of a wrong asset, fails.
    @Test(arguments: ["stat /b/shared/replicas/", "remove /b/shared/assets/"])
    func aCallThatFailsForOneFileStopsNothingElse(_ call: String) throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let apollo = Project("Apollo")
        try a.projects.append(apollo)
        try settle(devices, carrier)
        try a.photos(apollo.id).insert(Data([1, 2, 3]), name: "moon.jpg")
        try a.projects.append(Project("Skylab"))
        try a.sync()
        try carrier.carry(from: a, to: b)
        for path in try carrier.files(from: "b") where path.first == "assets" {
            let name = path.map(\.string).joined(separator: "/")
            try carrier.edit("/b/shared/\(name)") { $0 = "abc" }
        }
        let id = try a.id
        try b.restart { _, line in
            line.hasPrefix(call) && (line.contains("\(id)/") || line.contains("/assets/"))
                ? .fails(.ioError) : .works
        }
        try b.projects.append(Project("of b"))
        try b.sync()
        #expect(b.titles.contains("Skylab") == call.hasPrefix("remove"))
        #expect(b.replica.unusedFiles.count == 1)
        try b.restart()
        try settle(devices, carrier)
        #expect(a.titles == b.titles && a.titles.count == 3)
    }
}
