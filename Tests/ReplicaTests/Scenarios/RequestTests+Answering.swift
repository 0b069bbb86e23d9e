import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

/// Requests and answers of devices that change other things meanwhile, restart, or have no space.
extension RequestTests {
    /// Makes a device lack a segment of a, and ask for it.
    private func makeRequest(of device: TestDevice) throws {
        try settle([a, device])
        try a.projects.append(apollo)
        try a.sync()
        try carrier.carry(from: a, to: device)
        try flip(#require(try files(of: device, from: a).last))
        try device.sync()
        clock.advance(61_000)
        try device.sync()
    }

    /// The request is not in the newest segment, or a state has replaced its segment.
    @Test(arguments: [false, true]) func aRequestBehindNewerChangesIsAnswered(_ hasState: Bool)
        throws
    {
        try makeRequest(of: b)
        try b.projects.append(Project("Gemini"))
        try b.sync()
        if hasState {
            let path = try #require(try files(of: b, from: b).first)
            try b.restart()
            try disk.removeFile(
                FileName(validating: URL(filePath: path).lastPathComponent),
                in: disk.openFolder(at: URL(filePath: path).deletingLastPathComponent().path))
            try b.sync()
            #expect(try files(of: b, from: b).count == 1)
        }
        try carrier.exchange([a, b])
        try a.sync()
        try carrier.exchange([a, b])
        try b.sync()
        expectAll([b], ["Apollo", "Gemini"])
    }

    /// A file has several segments, and the request is not in the last one.
    @Test func aRequestInABundleIsAnswered() throws {
        try makeRequest(of: b)
        try b.projects.append(Project("Gemini"))
        try b.sync()
        let paths = try files(of: b, from: b)
        let bytes = try paths.flatMap { path in
            let url = URL(filePath: path)
            let folder = try disk.openFolder(at: url.deletingLastPathComponent().path)
            return try disk.readAll(FileName(validating: url.lastPathComponent), in: folder) ?? []
        }
        let name = SegmentName(number: paths.count, content: .changes, of: bytes).text
        let folder = try disk.openFolder(at: "/a/shared/replicas/\(b.id)")
        let file = try disk.openFile(
            FileName(validating: name), in: folder, for: .create(mode: 0o644))
        try disk.write(bytes, to: file, at: 0)
        try a.sync()
        try carrier.carry(from: a, to: b)
        try b.sync()
        expectAll([b], ["Apollo", "Gemini"])
    }

    @Test func aRequestForAPhotoBehindNewerChangesIsAnswered() throws {
        try a.projects.append(apollo)
        try a.photos(apollo.id).insert(Data([1, 2, 3]), name: "moon.jpg")
        try settle([a])
        try carrier.carry(from: a, to: b)
        for path in try files(of: b, where: { $0.first == "assets" }) {
            try carrier.edit(path) { $0 = "abc" }
        }
        for title in ["Gemini", "Soyuz"] {
            clock.advance(61_000)
            try b.sync()
            try b.projects.append(Project(title))
            try b.sync()
        }
        try carrier.exchange([a, b])
        try a.sync()
        try carrier.exchange([a, b])
        try b.sync()
        #expect(b.replica.pending.isEmpty)
    }

    /// A store that moves while it waits is another device, whose numbers begin anew.
    @Test func aRequestAfterAMoveIsAnswered() throws {
        for number in 1...5 {
            try b.projects.append(Project("Gemini \(number)"))
            try b.sync()
        }
        try makeRequest(of: b)
        try b.restart(on: "bbbbbbbb")
        try settle([a, b])
        #expect(b.titles.contains("Apollo"))
        try a.projects.append(Project("Soyuz"))
        try a.sync()
        try carrier.carry(from: a, to: b)
        try flip(#require(try files(of: b, from: a).last))
        try settle([a, b])
        #expect(b.titles.contains("Soyuz"))
    }

    @Test func anAnswerThatFailsIsTriedAgain() throws {
        try makeRequest(of: b)
        try carrier.carry(from: b, to: a)
        let isFull = Mutex(true)
        try a.restart { _, line in
            line.hasPrefix("rename ") && line.contains("-s-") && isFull.withLock { $0 }
                ? .fails(.noSpace) : .works
        }
        #expect(throws: ReplicaError.self) { try a.sync() }
        isFull.withLock { $0 = false }
        try a.sync()
        try carrier.exchange([a, b])
        try b.sync()
        expectAll([b], ["Apollo"])
    }

    @Test func aNewProcessKnowsWhatItAskedFor() throws {
        var options = ReplicaOptions()
        // The local state is written as a whole each time.
        options.localFileLimit = 0
        let device = try TestDevice(
            "e", on: disk, options: options, environment: clock.environment(seed: 9))
        try makeRequest(of: device)
        let before = try files(of: device, from: device).count
        for number in 0..<3 {
            try device.projects.append(Project("\(number)"))
            try device.sync()
            try device.restart()
            clock.advance(61_000)
            try device.sync()
        }
        // Three changes, and no other request.
        #expect(try files(of: device, from: device).count == before + 3)
    }

    /// Another device has a part of what is missing, and nobody has the rest.
    @Test func aDeviceThatHasAPartSendsThat() throws {
        try settle([a, b])
        try a.projects.append(apollo)
        try a.sync()
        try carrier.carry(from: a, to: b, c)
        try c.sync()
        try carrier.carry(from: c, to: b)
        try flip(#require(try files(of: b, from: a).last))
        let header = SegmentHeader(
            device: DeviceID(high: 7, low: 7), number: 1, time: 5,
            seen: VersionVector([try #require(DeviceID(a.id.description)): 99]))
        try carrier.put(Segment(header: header, entries: []), into: "b")
        try b.sync()
        clock.advance(61_000)
        try b.sync()
        // It does not see the segment that asks for more.
        let own = try b.id.description
        for path in try carrier.files(from: "b") where path.count == 3 && path[1].string == own {
            try carrier.carry(path, from: "b", to: "c")
        }
        try c.sync()
        try carrier.carry(from: c, to: b)
        try b.sync()
        #expect(b.titles == ["Apollo"])
        #expect(try files(of: c, from: c, .state).count == 1)
        for _ in 0..<3 { try c.sync() }
        #expect(try files(of: c, from: c, .state).count == 1)
    }

    /// A file waits for the next segment of the device that reads it.
    @Test func whatWaitsForThisDeviceIsReadWhenThatHasWritten() throws {
        try settle([a])
        let own = try #require(DeviceID(a.id.description))
        let header = SegmentHeader(
            device: DeviceID(high: 7, low: 7), number: 1, time: 5, seen: VersionVector([own: 2]))
        try carrier.put(Segment(header: header, entries: []), into: "a")
        try a.sync()
        #expect(a.replica.devices.count == 1)
        try a.projects.append(apollo)
        try a.sync()
        #expect(a.replica.devices.count == 2)
    }

    /// Files that are only in a cloud, or cannot be read now, may be as they were.
    @Test func ownFilesThatCannotBeReadNowAreNotReplaced() throws {
        try a.projects.append(apollo)
        try a.sync()
        let (id, before) = try (a.id, files(of: a, from: a))
        try a.restart { _, line in
            line.hasPrefix("open /a/shared/replicas/\(id)/") ? .fails(.accessDenied) : .works
        }
        for _ in 0..<3 {
            clock.advance(3_700_000)
            try a.sync()
        }
        #expect(try files(of: a, from: a) == before)
    }

    /// Others must be able to read the request, and it must stay the same.
    @Test func veryMuchThatIsMissingIsAskedForOnce() throws {
        try settle([a, b])
        let real = try DeviceID(b.id.description)
        for number in 1...100 {
            let seen = VersionVector([DeviceID(high: 0, low: UInt64(number)): 3])
            let header = SegmentHeader(
                device: DeviceID(high: 1, low: UInt64(number)), number: 1, time: 5, seen: seen)
            try carrier.put(Segment(header: header, entries: []), into: "a")
        }
        try b.projects.append(apollo)
        try b.sync()
        try carrier.carry(from: b, to: a)
        try flip(#require(try files(of: a, from: b).last))
        clock.advance(61_000)
        let before = try files(of: a, from: a)
        for _ in 0..<4 {
            try a.restart()
            try a.sync()
        }
        let new = try files(of: a, from: a).filter { !before.contains($0) }
        #expect(new.count == 1)
        let path = try #require(new.first).split(separator: "/").map(String.init)
        let folder = try disk.openFolder(at: "/" + path.dropLast().joined(separator: "/"))
        let bytes = try disk.readAll(FileName(validating: path[path.count - 1]), in: folder)
        let request = try #require(try Segment.read((bytes ?? [])[...]).last?.header.request)
        #expect(request.segments.numbers.count == 64)
        #expect(try request.segments[#require(real)] > 0)
    }

    @Test func aRequestForWhatNobodyHasChangesNothing() throws {
        try a.projects.append(apollo)
        try a.sync()
        var header = SegmentHeader(
            device: DeviceID(high: 7, low: 7), number: 1, time: 5, seen: .init())
        header.request = Request(
            segments: VersionVector([DeviceID(high: 8, low: 8): 3]),
            files: [SHA256.hash(Array("nothing".utf8))])
        try carrier.put(Segment(header: header, entries: []), into: "a")
        let before = try carrier.files(from: "a")
        for _ in 0..<2 { try a.sync() }
        #expect(try carrier.files(from: "a") == before)
    }
}
