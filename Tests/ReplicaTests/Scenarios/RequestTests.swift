import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Files in the shared folder that are damaged or gone: devices that need them ask, and others send them again under other
/// names, because the carrier of these tests, as `cp -n`, never brings a file again whose name is there.
@Suite struct RequestTests {
    /// That of the file system, so that a file can have been there for a minute.
    let clock = TestClock(Int(Date().timeIntervalSince1970 * 1000))
    let disk = MemoryFileSystem()
    private let devices: [TestDevice]
    let apollo = Project("Apollo")

    var a: TestDevice { devices[0] }
    var b: TestDevice { devices[1] }
    var c: TestDevice { devices[2] }
    var carrier: Carrier { Carrier(disk: disk) }

    init() throws {
        let (clock, disk) = (clock, disk)
        devices = try ["a", "b", "c"].enumerated().map { number, name in
            try TestDevice(
                name, on: disk, environment: clock.environment(seed: UInt64(number + 1)))
        }
    }

    /// The paths of the files in the shared folder of a device that `isIncluded` accepts.
    func files(
        of device: TestDevice, where isIncluded: ([FileName]) -> Bool
    ) throws -> [String] {
        try carrier.files(from: device.name).filter(isIncluded).map { path in
            "/\(device.name)/shared/" + path.map(\.string).joined(separator: "/")
        }.sorted()
    }

    /// The paths of the files that `writer` wrote, in the shared folder of `device`.
    func files(
        of device: TestDevice, from writer: TestDevice, _ content: SegmentName.Content? = nil
    ) throws -> [String] {
        let id = try writer.id.description
        return try files(of: device) { path in
            guard path.count == 3, path[1].string == id, let name = SegmentName(path[2]) else {
                return false
            }
            return content == nil || name.content == content
        }
    }

    func flip(_ path: String) throws {
        try carrier.edit(path) { text in
            var bytes = Array(text.utf8)
            bytes[bytes.count / 2] ^= 1
            text = String(decoding: bytes, as: UTF8.self)
        }
    }

    func settle(_ devices: [TestDevice]) throws {
        for _ in 0..<4 {
            clock.advance(61_000)
            for device in devices { try device.sync() }
            try carrier.exchange(devices)
        }
        for device in devices { try device.sync() }
    }

    func expectAll(_ devices: [TestDevice], _ titles: Set<String>) {
        for device in devices {
            #expect(device.titles == titles, "\(device.name)")
            #expect(device.replica.status == .idle, "\(device.name)")
        }
    }

    @Test(arguments: [false, true]) func aSegmentThatArrivedDamagedComesAgain(_ isIdle: Bool) throws
    {
        try settle([a, b])
        try a.projects.append(apollo)
        try a.sync()
        try carrier.carry(from: a, to: b)
        let damaged = try #require(try files(of: b, from: a).last)
        try flip(damaged)
        if !isIdle {
            try a.projects.append(Project("Gemini"))
            try a.sync()
            try carrier.carry(from: a, to: b)
        }
        try b.sync()
        #expect(
            b.replica.unusedFiles.map { "/b/shared/\($0.path)" } == [damaged]
                && b.replica.unusedFiles[0].reason.contains("do not fit"))
        guard case .waiting(let missing) = b.replica.status else {
            Issue.record("\(b.replica.status)")
            return
        }
        #expect(try missing.map(\.device) == [a.id])
        try settle([a, b])
        expectAll([a, b], isIdle ? ["Apollo"] : ["Apollo", "Gemini"])
    }

    @Test(arguments: [SegmentName.Content.changes, .state])
    func aDeviceNoticesThatItsOwnFileIsDamaged(_ content: SegmentName.Content) throws {
        try a.projects.append(apollo)
        try a.sync()
        if content == .state {
            try disk.removeTree("replicas", in: disk.openFolder(at: "/a/shared"))
            try a.sync()
        }
        for path in try files(of: a, from: a, content) { try flip(path) }
        try carrier.carry(from: a, to: b)
        try b.sync()
        #expect(b.titles == [])
        clock.advance(3_600_000)
        try a.sync()
        try carrier.carry(from: a, to: b)
        try b.sync()
        expectAll([a, b], ["Apollo"])
    }

    @Test func twoDevicesThatMissSomethingOfEachOther() throws {
        try settle([a, b])
        try a.projects.append(apollo)
        try b.projects.append(Project("Gemini"))
        for device in [a, b] { try device.sync() }
        try carrier.exchange([a, b])
        try flip(#require(try files(of: a, from: b).last))
        try flip(#require(try files(of: b, from: a).last))
        try a.projects.append(Project("Soyuz"))
        try settle([a, b])
        expectAll([a, b], ["Apollo", "Gemini", "Soyuz"])
    }

    /// The folder of a device that was lost is deleted, and somebody new comes.
    @Test(arguments: [false, true]) func aNewDeviceGetsWhatALostOneWrote(_ isPart: Bool) throws {
        try settle([a, b])
        for title in ["Apollo", "Gemini"] {
            try b.projects.append(Project(title))
            try settle([a, b])
        }
        try a.projects.append(Project("Soyuz"))
        try a.sync()
        for path in try files(of: a, from: b).prefix(isPart ? 1 : .max) {
            let url = URL(filePath: path)
            try disk.removeFile(
                FileName(validating: url.lastPathComponent),
                in: disk.openFolder(at: url.deletingLastPathComponent().path))
        }
        try settle([a, c])
        expectAll([a, c], ["Apollo", "Gemini", "Soyuz"])
    }

    @Test func oneDeviceAnswersAndTheOthersDoNot() throws {
        try settle([a, b])
        try a.projects.append(apollo)
        try settle([a, b])
        try carrier.carry(from: a, to: c)
        for path in try files(of: c, from: a) { try flip(path) }
        clock.advance(61_000)
        try c.sync()
        try carrier.carry(from: c, to: a, b)
        try a.sync()
        try carrier.carry(from: a, to: b)
        try b.sync()
        #expect(try files(of: b, from: b, .state).isEmpty)
        try carrier.carry(from: b, to: c)
        try c.sync()
        expectAll([c], ["Apollo"])
    }

    @Test func aRequestIsRepeatedAfterADay() throws {
        try settle([a, b])
        try a.projects.append(apollo)
        try a.sync()
        try carrier.carry(from: a, to: b)
        try flip(#require(try files(of: b, from: a).last))
        let before = try files(of: b, from: b).count
        for hours in [1, 0, 1, 21] {
            clock.advance(hours * 3_600_000)
            if hours == 0 { try b.restart() }
            try b.sync()
            #expect(try files(of: b, from: b).count == before + 1)
        }
        clock.advance(2 * 3_600_000)
        try b.sync()
        #expect(try files(of: b, from: b).count == before + 2)
        // The answer to the first request arrives damaged, that to the second one does not.
        try carrier.carry(from: b, to: a)
        try a.sync()
        try carrier.carry(from: a, to: b)
        for path in try files(of: b, from: a, .state) { try flip(path) }
        try b.sync()
        #expect(b.titles == [])
        clock.advance(25 * 3_600_000)
        try settle([a, b])
        expectAll([a, b], ["Apollo"])
    }

    /// Engines bring files in any order, so a device waits for a minute before it asks.
    @Test func whatIsMissingForAMomentIsNotAskedFor() throws {
        for device in [a, b] { try device.sync() }
        try a.projects.append(apollo)
        try a.sync()
        try carrier.carry(from: a, to: b)
        try flip(#require(try files(of: b, from: a).last))
        let before = try files(of: b, from: b).count
        for _ in 0..<3 { try b.sync() }
        #expect(try files(of: b, from: b).count == before)
        clock.advance(120_000)
        try b.sync()
        #expect(try files(of: b, from: b).count == before + 1)
    }

    @Test(arguments: [false, true]) func aPhotoThatArrivedDamagedComesAgain(_ isTwice: Bool) throws
    {
        try a.projects.append(apollo)
        try a.photos(apollo.id).insert(Data([1, 2, 3]), name: "moon.jpg")
        try settle([a])
        try carrier.carry(from: a, to: b)
        func flipPhotos() throws {
            for path in try files(of: b, where: { $0.first == "assets" }) {
                try carrier.edit(path) { $0 = "abc" }
            }
        }
        try flipPhotos()
        try b.sync()
        #expect(b.replica.pending.map(\.fileName).count == 1)
        #expect(b.replica.unusedFiles.allSatisfy { $0.path.hasPrefix("assets/") })
        #expect(b.replica.unusedFiles.count == 1)
        if isTwice {
            clock.advance(61_000)
            try b.sync()
            try carrier.exchange([a, b])
            try a.sync()
            try carrier.exchange([a, b])
            try flipPhotos()
            try b.sync()
            #expect(b.replica.unusedFiles.count == 2)
            clock.advance(25 * 3_600_000)
        }
        try settle([a, b])
        #expect(b.replica.pending.isEmpty)
        let photo = try #require(try b.photos(apollo.id).loaded().first)
        #expect(try b.photos(apollo.id).data(of: photo.id) == Data([1, 2, 3]))
    }

    /// The only right file can be in the shared folder of a device that no longer shows the photo; an engine would carry a
    /// removal there.
    @Test func aPhotoThatArrivedDamagedIsNotRemoved() throws {
        try a.projects.append(apollo)
        try a.photos(apollo.id).insert(Data([1, 2, 3]), name: "moon.jpg")
        try settle([a])
        try carrier.carry(from: a, to: b)
        let photos = try files(of: b) { $0.first == "assets" }
        for path in photos { try carrier.edit(path) { $0 = "abc" } }
        for _ in 0..<2 {
            clock.advance(2 * 3_600_000)
            try b.restart()
            try b.sync()
        }
        #expect(try files(of: b) { $0.first == "assets" } == photos)
        #expect(b.replica.pending.count == 1)
    }

    @Test func aFileThatWasSentAgainGoesWithTheOthersThatNobodyHas() throws {
        try a.projects.append(apollo)
        try a.photos(apollo.id).insert(Data([1]), name: "moon.jpg")
        try a.sync()
        let used = try files(of: a) { $0.first == "assets" }
        let hash = SHA256.hash([7]).description
        let folder = try disk.openOrMakeFolder(
            at: "/a/shared/assets/\(hash.prefix(2))", mode: 0o755)
        let name = try FileName(validating: "\(hash)-\(b.name)-1")
        let file = try disk.openFile(name, in: folder, for: .create(mode: 0o644))
        try disk.write([7], to: file, at: 0)
        clock.advance(40 * 86_400_000)
        try a.sync()
        #expect(try files(of: a) { $0.first == "assets" } == used)
    }
}
