import FileStore
import Foundation
import TestSupport
import Testing

/// A store beside a folder that it must never change.
struct GuardedStore {
    let temporary: TemporaryFolder
    let root: URL
    let outside: URL

    init() throws {
        temporary = try TemporaryFolder()
        root = temporary.url.appending(path: "store", directoryHint: .isDirectory)
        outside = temporary.url.appending(path: "outside", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(
            at: outside.appending(path: "inner"), withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: outside.appending(path: "file"))
    }

    /// Makes files with the text "mine" in the store's folder, without the store.
    func makeFiles(_ paths: String...) throws {
        for path in paths {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: file)
        }
    }

    /// Whether the folder outside has its original contents.
    func isUntouched() throws -> Bool {
        try FileManager.default.subpathsOfDirectory(atPath: outside.path).sorted()
            == ["file", "inner"]
            && String(contentsOf: outside.appending(path: "file"), encoding: .utf8) == "secret"
    }
}

struct LinkTests {
    let test: GuardedStore
    let store: DiskFileStore

    init() throws {
        test = try GuardedStore()
        store = DiskFileStore(at: test.root)
    }

    private func expectRefused(_ path: String) async throws {
        let source = test.temporary.url.appending(path: "source")
        try Data("new".utf8).write(to: source)
        await store.expectInvalid(path, source: source)
        for move in [false, true] {
            await #expect("out of the store") {
                let url = store.url(for: path)
                if move {
                    try await store.move(from: url, to: "copy")
                } else {
                    try await store.copy(from: url, to: "copy")
                }
            } throws: {
                FileStoreError.isInvalidPath($0)
            }
        }
        #expect(!store.exists(path))
        #expect(try test.isUntouched())
        #expect(FileManager.default.fileExists(atPath: source.path))
    }

    @Test(arguments: ["link", "link/file", "link/new", "link/inner", "link/inner/new"])
    func linkToAFolderIsNotFollowed(_ path: String) async throws {
        try await store.save("x", to: "a")
        try FileManager.default.createSymbolicLink(
            at: test.root.appending(path: "link"), withDestinationURL: test.outside)
        try await expectRefused(path)
        #expect(try await store.paths() == ["a"])
    }

    @Test(arguments: ["file", "missing", "."])
    func linkToAFileIsNotFollowed(_ target: String) async throws {
        try await store.save("x", to: "a")
        try FileManager.default.createSymbolicLink(
            at: test.root.appending(path: "link"),
            withDestinationURL: test.outside.appending(path: target))
        try await expectRefused("link")
        #expect(try await store.paths() == ["a"])
    }

    @Test func linkInPlaceOfTheStoreIsNotFollowed() async throws {
        try FileManager.default.createSymbolicLink(
            at: test.root, withDestinationURL: test.outside)
        try await expectRefused("file")
        try await expectRefused("new")
        await #expect { try await store.deleteAll() } throws: { FileStoreError.isInvalidPath($0) }
        await #expect { try await store.list() } throws: { FileStoreError.isInvalidPath($0) }
        #expect(try test.isUntouched())
    }

    @Test func pipeIsNotAFileAndDoesNotBlock() async throws {
        try await store.save("x", to: "a")
        #expect(mkfifo(test.root.appending(path: "pipe").path, 0o600) == 0)
        await #expect(throws: FileStoreError.self) { try await store.load("pipe") }
        #expect(throws: FileStoreError.self) { try store.info(for: "pipe") }
        #expect(try await store.paths() == ["a"])
    }

    @Test func deletingAFolderKeepsTheTargetsOfItsLinks() async throws {
        try await store.save("x", to: "a/b/c")
        for path in ["a/link", "a/b/link"] {
            try FileManager.default.createSymbolicLink(
                at: test.root.appending(path: path), withDestinationURL: test.outside)
        }
        try await store.deleteDirectory("a")
        #expect(try test.isUntouched())
        #expect(try await store.paths() == [])
    }
}
