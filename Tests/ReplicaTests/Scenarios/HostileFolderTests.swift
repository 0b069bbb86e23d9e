import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Very many files, very large ones, and names that are no files, in a shared folder on a disk: nothing is read that does
/// not have to be, or twice, and everything else goes on.
@Suite struct HostileFolderTests {
    private let folder: TemporaryFolder
    private let disk = ProcessFileSystem(LocalFileSystem())
    private let projects: Directory<Project>
    private let replica: Replica
    private let apollo = Project("Apollo")

    private var shared: URL { folder.url.appending(path: "shared") }

    init() throws {
        folder = try TemporaryFolder()
        var options = ReplicaOptions()
        options.uncheckedCopySize = 1 << 20
        let environment = TestClock(Int(Date().timeIntervalSince1970 * 1000)).environment(seed: 1)
        projects = try Directory<Project>(
            at: folder.url.appending(path: "store"), index: "projects.json", on: disk)
        replica = try Replica(
            root: projects, in: folder.url.appending(path: "shared"), on: disk,
            children: [Child.photos.replicated()], options: options, environment: environment)
        try projects.append(apollo)
        try replica.sync()
    }

    /// The folder of another device.
    private func stranger(_ number: Int = 7) throws -> URL {
        let url = shared.appending(path: "replicas/\(DeviceID(high: 7, low: UInt64(number)))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    /// Makes a file that is mostly a hole.
    private func makeHole(_ url: URL, _ size: Int, beginning: String = "") throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(beginning.utf8).write(to: url)
        #expect(truncate(url.path, off_t(size)) == 0)
    }

    /// The calls of a sync.
    private func calls(_ body: () throws -> Void) rethrows -> [String] {
        let count = disk.log.count
        try body()
        return Array(disk.log.dropFirst(count))
    }

    /// Another device gets all items, so this one still sends them.
    private func expectThatOthersFollow() throws {
        let other = try Directory<Project>(
            at: folder.url.appending(path: "other"), index: "projects.json", on: LocalFileSystem())
        let its = try Replica(
            root: other, in: shared, on: LocalFileSystem(), children: [Child.photos.replicated()],
            options: .init(), environment: TestClock().environment(seed: 2))
        try projects.append(Project("Gemini"))
        try replica.sync()
        try its.sync()
        #expect(other.items.map(\.title) == ["Apollo", "Gemini"])
    }

    @Test(arguments: [SegmentName.Content.changes, .state])
    func aFileThatIsTooLargeIsNotRead(_ content: SegmentName.Content) throws {
        let name = SegmentName(number: 1, content: content, of: [1]).text
        try makeHole(stranger().appending(path: name), 8 << 30, beginning: "{}\n")
        let calls = try calls { try replica.sync() }
        #expect(!calls.contains { $0.hasPrefix("read ") && $0.hasSuffix(name) })
        #expect(replica.unusedFiles.map(\.reason) == ["it is too large"])
        try expectThatOthersFollow()
    }

    @Test func aMarkerThatIsTooLargeIsReplaced() throws {
        let marker = shared.appending(path: "directory-replicas.txt")
        let text = try String(contentsOf: marker, encoding: .utf8)
        try makeHole(marker, 8 << 30, beginning: text)
        try replica.sync()
        #expect(replica.unusedFiles.count == 1)
        #expect(try String(contentsOf: marker, encoding: .utf8) == text)
    }

    /// FIFOs and links have the names of what the library reads and writes.
    @Test(arguments: [
        "directory-replicas.txt", "replicas", "assets", "replicas/own", "replicas/other/file",
        "replicas/other",
    ])
    func namesThatAreNoFilesStopNothing(_ path: String) throws {
        for isLink in [false, true] {
            let own = try #require(replica.devices.first?.id.description)
            let name = SegmentName(number: 1, content: .changes, of: [1]).text
            if path.contains("file") { _ = try stranger() }
            let url = shared.appending(
                path: path.replacing("own", with: own).replacing("file", with: name)
                    .replacing("other", with: "\(DeviceID(high: 7, low: 7))"))
            try? FileManager.default.removeItem(at: url)
            if isLink {
                try FileManager.default.createSymbolicLink(
                    at: url, withDestinationURL: folder.url.appending(path: "nowhere"))
            } else {
                #expect(mkfifo(url.path, 0o600) == 0)
            }
            try replica.sync()
            #expect(replica.unusedFiles.count == (isLink && path == "replicas/own" ? 2 : 1))
            try projects.append(Project("\(isLink)"))
            try replica.sync()
            #expect(projects.items.last?.title == "\(isLink)")
        }
        let other = try Directory<Project>(
            at: folder.url.appending(path: "other"), index: "projects.json", on: LocalFileSystem())
        let its = try Replica(
            root: other, in: shared, on: LocalFileSystem(), children: [Child.photos.replicated()],
            options: .init(), environment: TestClock().environment(seed: 2))
        try its.sync()
        #expect(other.count == 3)
    }

    @Test(.enabled(if: TestSize.current != .sample)) func foldersWithoutFilesPushNobodyOut()
        throws
    {
        for number in 0..<TestSize.choose(sample: 0, gate: 4200, full: 50_000) {
            // They are before all others.
            _ = try FileManager.default.createDirectory(
                at: shared.appending(path: "replicas/0000\(number)"),
                withIntermediateDirectories: false)
        }
        let header = SegmentHeader(
            device: DeviceID(high: .max, low: 7), number: 1, time: 5, seen: .init())
        let id = UUID()
        var entry = SegmentEntry(ItemReference("projects", .uuid(id)))
        (entry.container, entry.position) = (.some(nil), Position("V"))
        entry.set =
            Array(
                "{\"id\":\"\(id)\",\"title\":\"Gemini\",\"folderName\":\"Gemini\"}".utf8)[...]
        try Carrier(disk: LocalFileSystem()).put(
            Segment(header: header, entries: [entry]), into: shared)
        try replica.sync()
        #expect(Set(projects.items.map(\.title)) == ["Apollo", "Gemini"])
        #expect(replica.unusedFiles.isEmpty)
    }

    /// A chain of segments that arrive in any order, and many that wait for what never comes.
    @Test func filesThatWaitAreReadTwiceAtMost() throws {
        let (count, device) = (
            TestSize.choose(sample: 60, gate: 500, full: 20_000), DeviceID(high: 7, low: 7)
        )
        let carrier = Carrier(disk: LocalFileSystem())
        for number in 2...count {
            let header = SegmentHeader(device: device, number: number, time: 5, seen: .init())
            try carrier.put(Segment(header: header, entries: []), into: shared)
            // Each waits for one of the chain, and all for the first one of this device.
            let other = SegmentHeader(
                device: DeviceID(high: 8, low: UInt64(number)), number: 1, time: 5,
                seen: VersionVector([device: count - number + 1]))
            try carrier.put(Segment(header: other, entries: []), into: shared)
        }
        func opens(_ body: () throws -> Void) rethrows -> Int {
            try calls(body).count { $0.hasPrefix("open ") && $0.hasSuffix(".jsonl") }
        }
        _ = try opens { try replica.sync() }
        guard case .waiting = replica.status else {
            Issue.record("\(replica.status)")
            return
        }
        #expect(try opens { try replica.sync() } == 0)
        let first = SegmentHeader(device: device, number: 1, time: 5, seen: .init())
        try carrier.put(Segment(header: first, entries: []), into: shared)
        #expect(try opens { try replica.sync() } == 2 * count - 1)
        #expect(replica.status == .idle && replica.devices.count == count + 1)
    }

    /// The number of a file in the folder of this device is newer than it knows, as after a restored backup.
    @Test func aFileInTheOwnFolderIsReadOnceAndNamed() throws {
        let own = try #require(replica.devices.first?.id.description)
        let name = SegmentName(number: 999, content: .state, of: [1]).text
        try Data([2]).write(to: shared.appending(path: "replicas/\(own)/\(name)"))
        for number in 0..<3 {
            let calls = try calls { try replica.sync() }
            #expect(calls.contains { $0.hasPrefix("read ") && $0.hasSuffix(name) } == (number == 0))
            #expect(replica.unusedFiles.map(\.path) == ["replicas/\(own)/\(name)"])
        }
    }

    @Test func aFolderWithTheNameOfATemporaryFileStopsNothing() throws {
        let name = ".\(String(repeating: "0", count: 32)).tmp"
        let url = shared.appending(path: name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: url.path)
        try replica.sync()
        #expect(FileManager.default.fileExists(atPath: url.path))
    }

    /// A file of 2 MB that claims to be a photo.
    @Test func aLargeFileWithWrongBytesIsReadOnceAndNeverCopied() throws {
        let (device, id) = (DeviceID(high: 7, low: 7), UUID())
        let hash = SHA256.hash([1])
        let size = 2 << 20
        var entry = SegmentEntry(ItemReference("projects/photos", .uuid(id)))
        (entry.container, entry.position) = (.some(.uuid(apollo.id)), Position("V"))
        entry.set = Array("{\"id\":\"\(id)\",\"name\":\"moon.jpg\"}".utf8)[...]
        entry.file = FileValue(name: "\(id).jpg", hash: hash, size: size)
        let header = SegmentHeader(device: device, number: 1, time: 5, seen: .init())
        try Carrier(disk: LocalFileSystem()).put(
            Segment(header: header, entries: [entry]), into: shared)
        let name = hash.description
        try makeHole(shared.appending(path: "assets/\(name.prefix(2))/\(name)"), size)
        let first = try calls { try replica.sync() }
        #expect(first.contains { $0.hasPrefix("read ") && $0.hasSuffix(name) })
        #expect(
            !first.contains { line in
                ["write ", "clone ", "copy "].contains(where: line.hasPrefix)
                    && line.contains("/store/") && !line.contains("/.projects.")
            })
        #expect(replica.pending.count == 1)
        for _ in 0..<2 {
            #expect(replica.unusedFiles.count == 1)
            let calls = try calls { try replica.sync() }
            #expect(!calls.contains { $0.hasPrefix("read ") && $0.hasSuffix(name) })
        }
    }
}
