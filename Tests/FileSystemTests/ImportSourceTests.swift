import FileSystem
import Foundation
import TestSupport
import Testing

struct ImportSourceTests {
    /// Two pieces of 8 MiB and a shorter one.
    private static let bytes = [UInt8](Data.pattern((17 << 20) + 17))

    private struct Cancelled: Error {}

    @Test(arguments: Conformer.allCases)
    func copyOnOneFileSystemIsAClone(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.write(Self.bytes, to: files.put("", as: "source", in: root), at: 0)
            let source = try ImportSource("source", in: root, on: files)
            var steps: [Int] = []
            let target = try source.copy(as: "target", in: root, mode: 0o600) { steps.append($0) }
            #expect(try Data(files.readAll(target)) == Data(Self.bytes))
            let pieces = [8 << 20, 8 << 20, Self.bytes.count - (16 << 20)]
            #expect([[Self.bytes.count], pieces].contains(steps))
            #expect(steps.count == 1 || conformer == .local)
        }
    }

    @Test func copyToAnotherFileSystemPassesThroughMemory() throws {
        try Conformer.local.withFolder { files, root in
            try files.write(Self.bytes, to: files.put("", as: "source", in: root), at: 0)
            let source = try ImportSource("source", in: root, on: files)
            let other = MemoryFileSystem()
            var steps: [Int] = []
            let target = try source.copy(
                as: "target", in: other.openFolder(at: "/"), mode: 0o600, on: other
            ) { steps.append($0) }
            #expect(try Data(other.readAll(target)) == Data(Self.bytes))
            #expect(steps.reduce(0, +) == Self.bytes.count)
            #expect(steps.count > 8)
        }
    }

    @Test func copyEndsWhenAStepThrows() throws {
        try Conformer.local.withFolder { files, root in
            try files.write(Self.bytes, to: files.put("", as: "source", in: root), at: 0)
            let source = try ImportSource("source", in: root, on: files)
            let other = MemoryFileSystem()
            let top = try other.openFolder(at: "/")
            var copied = 0
            #expect(throws: Cancelled.self) {
                try source.copy(as: "target", in: top, mode: 0o600, on: other) { count in
                    copied += count
                    if copied > 1 << 20 { throw Cancelled() }
                }
            }
            #expect(try other.readAll("target", in: top) == Array(Self.bytes[..<copied]))
            #expect(copied < 2 << 20)
        }
    }

    @Test(arguments: Conformer.allCases)
    func copyOfAnEmptyFileIsEmpty(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("", as: "source", in: root)
            let source = try ImportSource("source", in: root, on: files)
            let other = MemoryFileSystem()
            let top = try other.openFolder(at: "/")
            let same = try source.copy(as: "target", in: root, mode: 0o600) { #expect($0 == 0) }
            let far = try source.copy(as: "target", in: top, mode: 0o600, on: other) {
                #expect($0 == 0)
            }
            #expect(try files.text(of: same) == "" && other.text(of: far) == "")
        }
    }

    @Test(arguments: Conformer.allCases)
    func prefixEndsWithTheFile(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("12345", as: "source", in: root)
            let source = try ImportSource("source", in: root, on: files)
            #expect(try source.prefix(3) == Array("123".utf8))
            #expect(try source.prefix(16) == Array("12345".utf8))
        }
    }

    @Test(arguments: Conformer.allCases)
    func removeRemovesTheFileItself(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("1", as: "source", in: root)
            let source = try ImportSource("source", in: root, on: files)
            #expect(try source.hasItsName(in: root))
            #expect(try source.remove(from: root))
            #expect(try files.list(root) == [])
            #expect(try !source.hasItsName(in: root))
            #expect(try !source.remove(from: root))
        }
    }

    @Test(arguments: Conformer.allCases)
    func replacedFileIsNotRemoved(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("1", as: "source", in: root)
            let source = try ImportSource("source", in: root, on: files)
            try files.put("2", as: "other", in: root)
            try files.rename("other", in: root, to: "source", in: root, replacing: true)
            #expect(try !source.hasItsName(in: root))
            #expect(try !source.remove(from: root))
            #expect(try files.text("source", in: root) == "2")
        }
    }

    @Test(arguments: Conformer.allCases)
    func writtenFileIsNotRemoved(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.put("1", as: "source", in: root)
            let source = try ImportSource("source", in: root, on: files)
            try files.write(Array("2".utf8), to: file, at: 1)
            #expect(try source.hasItsName(in: root))
            #expect(try !source.remove(from: root))
            #expect(try files.text("source", in: root) == "12")
        }
    }
}

/// How a source is opened by its URL.
struct ImportSourceURLTests {
    private let temporary: TemporaryFolder
    private let files = LocalFileSystem()
    private let root: Handle

    init() throws {
        temporary = try TemporaryFolder()
        root = try files.openFolder(at: temporary.url.path)
    }

    private func url(_ path: String) -> URL {
        temporary.url.appending(path: path, directoryHint: .notDirectory)
    }

    private func open(_ path: String) throws -> ImportSource {
        try ImportSource(at: url(path), on: files)
    }

    @Test func openedSourceIsTheFileAtTheURL() throws {
        try files.put("text", as: "ä b%2F", in: root)
        let source = try open("ä b%2F")
        #expect(source.name == "ä b%2F")
        #expect(source.status.size == 4)
        #expect(try files.status(of: source.openFolder()) == files.status(of: root))
    }

    @Test func linksAreFollowedOnlyAboveTheFile() throws {
        try files.put("text", as: "file", in: files.putFolder("folder", in: root))
        for (link, target) in [("link", "folder"), ("folder/link", "file")] {
            try FileManager.default.createSymbolicLink(
                atPath: url(link).path, withDestinationPath: target)
        }
        #expect(try open("link/file").status.size == 4)
        expectFileSystemError(.tooManyLinks) { try open("folder/link") }
    }

    /// In a sandbox, a file that the user picked may be opened, and its folder may not.
    @Test func fileInAFolderThatCannotBeOpenedIsCopied() throws {
        let folder = try files.putFolder("closed", in: root)
        try files.protect(files.put("text", as: "file", in: folder), mode: 0o644, as: .none)
        try FileManager.default.createSymbolicLink(
            atPath: url("closed/link").path, withDestinationPath: "file")
        for (path, mode) in [("closed", 0o311), ("", 0o755)] {
            try #require(chmod(url(path).path, mode_t(mode)) == 0)
        }
        let source = try withoutPrivileges {
            let source = try open("closed/file")
            expectFileSystemError(.accessDenied) { try source.openFolder() }
            expectFileSystemError(.tooManyLinks) { try open("closed/link") }
            return source
        }
        let copy = try source.copy(as: "copy", in: root, mode: 0o600) { _ in }
        #expect(try files.text(of: copy) == "text")
    }

    @Test func onlyARegularFileOpens() throws {
        try files.put("", as: "file", in: root)
        try files.makeFolder("folder", in: root, mode: 0o700)
        try #require(mkfifo(url("pipe").path, 0o600) == 0)
        expectFileSystemError(.noSuchFile) { try open("missing") }
        expectFileSystemError(.notFolder) { try open("file/inner") }
        expectFileSystemError(.isFolder) { try open("folder") }
        expectFileSystemError(.notSupported) { try open("pipe") }
    }

    @Test(arguments: ["https://example.com/a", "file:///", "file:///a%00b/c", "file:///a/b%00"])
    func otherURLIsAnInvalidArgument(_ string: String) throws {
        let url = try #require(URL(string: string))
        expectFileSystemError(.invalidArgument) { try ImportSource(at: url, on: files) }
    }
}
