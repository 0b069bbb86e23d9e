import FileStore
import FileSystem
import Foundation
import Testing

/// A store is at the absolute URL of a folder, and nowhere else.
struct RootURLTests {
    static let others = [
        "http://x/y", "https://example.com/stores/store", "y", "/x/y", "file:x/y",
        "file:///x%00y/z",
        "file:///x%FF/y", "file:///x/y%FF", "file:///",
    ]

    @Test(arguments: others) func everyOtherURLIsRefusedByEveryCall(_ string: String) async throws {
        let disk = MemoryFileSystem()
        let source = URL(filePath: "/source")
        try disk.put("x", as: "source", in: "/")
        let store = DiskFileStore(at: try #require(URL(string: string)), on: disk)
        await store.expectInvalid("a", source: source)
        await #expect(
            performing: { _ = try await store.list() }, throws: FileStoreError.isInvalidPath)
        await #expect(
            performing: { _ = try await store.totalSize() }, throws: FileStoreError.isInvalidPath)
        await #expect(
            performing: { try await store.deleteAll() }, throws: FileStoreError.isInvalidPath)
        #expect(store.url(for: "a").path(percentEncoded: false) == "/dev/null/a")
        #expect(try disk.list(disk.openFolder(at: "/")) == ["source"])
    }

    @Test func theErrorNamesTheURL() async throws {
        let store = DiskFileStore(
            at: try #require(URL(string: "http://x/y")), on: MemoryFileSystem())
        let reason = "it is not the absolute URL of a folder; make one with URL(filePath:)"
        await #expect(throws: FileStoreError.invalidPath(path: "http://x/y", reason: reason)) {
            try await store.save("x", to: "a")
        }
    }

    @Test(arguments: others.dropLast()) func noOtherURLIsASource(_ string: String) async throws {
        let store = DiskFileStore(at: URL(filePath: "/store"), on: MemoryFileSystem())
        let source = try #require(URL(string: string))
        await #expect(
            performing: { try await store.copy(from: source, to: "a") },
            throws: FileStoreError.isInvalidPath)
    }

    @Test func relativePathIsInTheCurrentFolder() async throws {
        let disk = MemoryFileSystem()
        let current = FileManager.default.currentDirectoryPath
        try await DiskFileStore(at: URL(filePath: "store"), on: disk).save("x", to: "a")
        let store = DiskFileStore(at: URL(filePath: current).appending(path: "store"), on: disk)
        #expect(try await store.text("a") == "x")
    }
}
