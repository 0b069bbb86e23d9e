import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Archives that are damaged, or that somebody has made to do harm.
struct ArchiveFormatTests {
    let sandbox: Sandbox
    private var archive: URL { sandbox.url("a.zip") }

    init() throws { sandbox = try Sandbox() }

    private typealias Entry = (path: String, bytes: String)

    /// Writes an archive of files, in which `name` has been replaced by another one of the same length.
    private func write(
        _ entries: [Entry], replacing name: (old: String, new: String)? = nil,
        _ limits: ZipLimits = ZipLimits()
    ) throws {
        let files = LocalFileSystem()
        let folder = try files.openFolder(at: sandbox.url.path)
        try? files.removeFile("a.zip", in: folder)
        let file = try files.openFile("a.zip", in: folder, for: .create(mode: 0o600))
        var writer = ZipWriter(file, on: files, limits)
        for (path, bytes) in entries {
            let path = try path.split(separator: "/").map { try FileName(validating: String($0)) }
            try writer.add(Array(bytes.utf8), at: path, mode: 0o600)
        }
        try writer.finish()
        guard let name else { return }
        #expect(name.old.utf8.count == name.new.utf8.count)
        try change { bytes in
            for range in bytes.ranges(of: Array(name.old.utf8)).reversed() {
                bytes.replaceSubrange(range, with: Array(name.new.utf8))
            }
        }
    }

    private func change(_ body: (inout [UInt8]) throws -> Void) throws {
        var bytes = Array(try sandbox.bytes("a.zip"))
        try body(&bytes)
        try Data(bytes).write(to: archive)
    }

    private let index: Entry = ("boxes.json", "[\n{\"folderName\":\"One\",\"id\":1}\n]\n")

    /// Expects that a restoring changes nothing, and says why.
    private func expectRefusal(
        _ reason: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        let boxes = try sandbox.boxes("store")
        if boxes.isEmpty { try boxes.append(Box(id: 7, folderName: "Seven")) }
        let before = try sandbox.tree("store").keys.sorted()
        let error = expectError(.damagedCopy, sourceLocation: location) {
            try boxes.restore(from: archive)
        }
        #expect(
            error?.reason.contains(reason) == true, "\(error?.reason ?? "")",
            sourceLocation: location)
        #expect(boxes.items.map(\.id) == [7], sourceLocation: location)
        #expect(try sandbox.tree("store").keys.sorted() == before, sourceLocation: location)
        // The bytes of a large archive need not be read.
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.url.path)
        #expect(Set(names).isSubset(of: ["a.zip", "store"]), sourceLocation: location)
    }

    @Test(arguments: [
        ("abcd/x", "../../x"), ("ab/x", "../x"), ("abc/x", "//b/x"), ("ab/xyz", "/tmp/x"),
        ("ab/xyz", "ab/../x"), ("ab/xyz", "ab/./z"), ("ab/xyz", "ab/\0yz"), ("ab/xyz", "ab//yz"),
    ]) func namesThatLeaveTheFolderAreRefused(_ name: String, _ bad: String) throws {
        let padding = String(repeating: "p", count: max(0, bad.utf8.count - name.utf8.count))
        try write([index, (name + padding, "text")], replacing: (name + padding, bad))
        try expectRefusal("name")
    }

    @Test(arguments: ["boxes.json", "ab", "ab/y"]) func twoEntriesOfOneNameAreRefused(
        _ name: String
    ) throws {
        let other = String(repeating: "z", count: name.utf8.count)
        try write([index, ("ab/y", "1"), (other, "2")], replacing: (other, name))
        try expectRefusal("two entries with the name")
    }

    /// Some tools of Windows write such names, and would read others so.
    @Test(arguments: [
        ("One/photos/x.jpg", "One\\photos\\x.jpg"), ("One/photos/x.jpg", "One/photos\\x.jpg"),
        ("One/", "One\\"), ("ab/boxes.json", "C:/boxes.json"), ("ab/x", "c:/x"),
        ("ab/x.jpg", "C:\\x.jpg"), ("a/cd/x", "\\\\ab\\x"),
    ]) func namesThatOthersReadInAnotherWayAreRefused(_ name: String, _ bad: String) throws {
        let padding = String(repeating: "p", count: max(0, bad.utf8.count - name.utf8.count))
        let old = name.hasSuffix("/") ? "One_" : name + padding
        try write([index, (old, "text")], replacing: (old, bad))
        try expectRefusal(bad.contains("\\") ? "backslash" : "drive")
    }

    @Test(arguments: ["AC\\DC.txt", "a\\b/x"]) func noArchiveWithABackslashIsWritten(
        _ path: String
    ) throws {
        let boxes = try sandbox.boxes("store")
        try boxes.append(Box(id: 1, folderName: "One"))
        try sandbox.write("text", to: "store/One/\(path)")
        expectError(.invalidName) { try boxes.archive(to: archive) }
        #expect(!sandbox.exists("a.zip"))
        // In a copy it is a name as others.
        try boxes.copy(to: sandbox.url("copy"))
        try sandbox.boxes("other").restore(from: sandbox.url("copy"))
        #expect(try sandbox.text("other/One/\(path)") == "text")
    }

    /// A volume that ignores case refuses to make the second one.
    @Test(arguments: [("create", "new/One/X"), ("make", "new/one")])
    func twoNamesThatTheVolumeTakesForOneAreRefused(_ call: String, _ path: String) throws {
        try write([index, ("One/x", "1"), ("One/X", "2"), ("one/y", "3")])
        let disk = ProcessFileSystem(LocalFileSystem()) { _, line in
            line.hasPrefix("\(call) ") && line.hasSuffix(path) ? .fails(.fileExists) : .works
        }
        let boxes = try Directory<Box>(
            at: sandbox.url("store"), index: "boxes.json", on: disk)
        let error = expectError(.damagedCopy) { try boxes.restore(from: archive) }
        #expect(error?.reason.contains("two entries") == true)
        #expect(try boxes.loaded().isEmpty)
    }

    /// Where the records of the directory are, of which each begins with the signature.
    private func records(_ bytes: [UInt8]) -> [Int] {
        bytes.ranges(of: [0x50, 0x4B, 0x01, 0x02]).map(\.lowerBound)
    }

    @Test(
        arguments: [
            // The offset in a record of the directory, its new bytes, and the reason.
            (8, [1, 8], "encrypted"), (10, [8, 0], "compressed"), (38, [0, 0, 0, 0xA1], "link"),
            (38, [0, 0, 0, 0x21], "special file"), (20, [9, 0, 0, 0], "size"),
            (20, [9, 0, 0, 0, 9, 0, 0, 0], "share bytes"),
            (20, [0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0x7F], "size"),
            (42, [0xFF, 0xFF, 0, 0], "place"), (42, [1, 0, 0, 0], "share bytes"),
            (16, [1, 2, 3, 4], "damaged"),
        ] as [(Int, [UInt8], String)]) func liesAreRefused(
            _ offset: Int, _ new: [UInt8], _ reason: String
        )
        throws
    {
        try write([index, ("ab/x", "text"), ("ab/y", "more")])
        try change { bytes in
            let record = try #require(records(bytes).dropFirst().first)
            bytes.replaceSubrange(record + offset..<record + offset + new.count, with: new)
        }
        try expectRefusal(reason)
    }

    @Test func aCutOffArchiveIsRefused() throws {
        try write([index, ("One/x", "text")])
        let whole = try sandbox.bytes("a.zip")
        var sweep = Sweep()
        for count in sweep.numbers(below: whole.count, step: 9) {
            try whole.prefix(count).write(to: archive)
            try expectRefusal("cut off")
        }
    }

    /// Whatever has become of an archive, it is refused, or it is as it was.
    @Test func damageIsRefusedOrDoesNotMatter() throws {
        try write([index, ("One/x", "text"), ("One/y", "more")])
        let whole = Array(try sandbox.bytes("a.zip"))
        var random = SeededGenerator()
        for _ in 0..<TestSize.choose(sample: 40, gate: 1_000, full: 100_000) {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            try Data(bytes).write(to: archive)
            let boxes = try sandbox.boxes("store")
            do {
                try boxes.restore(from: archive)
            } catch let error as DirectoryError {
                #expect(error.code == .damagedCopy, "\(random)")
                continue
            }
            #expect(boxes.items.map(\.id) == [1], "\(random)")
            for (name, text) in [("x", "text"), ("y", "more")]
            where sandbox.exists("store/One/\(name)") {
                #expect(try sandbox.text("store/One/\(name)") == text, "\(random)")
            }
            try sandbox.remove("store")
        }
    }

    /// With 64-bit fields, which no small archive needs.
    @Test(arguments: [ZipLimits(field32: 1, field16: 1), .init(field32: 20, field16: 0xFFFF)])
    func fieldsOf64BitsAreReadAsTheyWereWritten(_ limits: ZipLimits) throws {
        try write([index, ("One/x", "text"), ("One/y", "more than twenty bytes")], limits)
        if ArchiveTests.Program.installed.contains(.python3) {
            try ArchiveTests.Program.run(
                "python3", ["-m", "zipfile", "-t", "a.zip"], in: sandbox.url)
        }
        if ArchiveTests.Program.installed.contains(.unzip) {
            try ArchiveTests.Program.run("unzip", ["-tqq", "a.zip"], in: sandbox.url)
        }
        let boxes = try sandbox.boxes("store")
        try boxes.restore(from: archive)
        #expect(try sandbox.text("store/One/y") == "more than twenty bytes")
    }

    @Test func foldersThatAreTooDeepAreRefused() throws {
        let deep = String(repeating: "a/", count: 300)
        try write([index, (deep + "x", "text")])
        try expectRefusal("folders in one another")
        let boxes = try sandbox.boxes("deep")
        try boxes.append(Box(id: 1, folderName: "One"))
        try sandbox.write("text", to: "deep/One/\(deep)x")
        expectError(.invalidName) { try boxes.archive(to: sandbox.url("deep.zip")) }
        #expect(!sandbox.exists("deep.zip"))
        #expect(try sandbox.leftovers("deep").isEmpty)
    }

    /// The directory would not fit into memory.
    @Test func aHugeDirectoryIsRefused() throws {
        try write([index])
        let whole = try sandbox.bytes("a.zip")
        let size = 2 << 30
        try Data().write(to: archive)
        let file = try FileHandle(forWritingTo: archive)
        try file.truncate(atOffset: UInt64(size))
        try file.seekToEnd()
        var end = Array(whole.suffix(22))
        // The size of the directory, and that it begins at the beginning.
        end.replaceSubrange(12..<20, with: [0, 0, 0, 0x80, 0, 0, 0, 0])
        try file.write(contentsOf: Data(end))
        try file.close()
        try expectRefusal("too large")
    }

    @Test func aFileThatBecameShorterIsNotWritten() throws {
        let files = LocalFileSystem()
        let folder = try files.openFolder(at: sandbox.url.path)
        let source = try files.openFile("source", in: folder, for: .create(mode: 0o600))
        try files.write(Array("text".utf8), to: source, at: 0)
        var status = try files.status(of: source)
        status.size = 5
        let file = try files.openFile("b.zip", in: folder, for: .create(mode: 0o600))
        var writer = ZipWriter(file, on: files)
        #expect(throws: FileSystemError.self) {
            try writer.add(source, status, at: ["source"]) { _ in }
        }
    }

    @Test func aCommentAtTheEndIsNoDamage() throws {
        try write([index])
        try change { bytes in
            bytes[bytes.count - 2] = 5
            bytes += Array("hello".utf8)
        }
        try sandbox.boxes("store").restore(from: archive)
        #expect(sandbox.exists("store/boxes.json"))
    }
}

extension ZipLimits: CustomTestStringConvertible {
    /// The two limits.
    public var testDescription: String { "\(field32), \(field16)" }
}
