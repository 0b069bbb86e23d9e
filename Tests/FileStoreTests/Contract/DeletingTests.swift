import FileStore
import Foundation
import Testing

struct DeletingTests {
    @Test(arguments: StoreKind.allCases)
    func deleteRemovesOneFile(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        for path in ["a/1", "a/2"] { try await test.store.save("x", to: path) }
        try await test.store.delete("a/1")
        #expect(try await test.store.paths() == ["a", "a/2"])
        await #expect(throws: FileStoreError.isDirectory(path: "a")) {
            try await test.store.delete("a")
        }
        #expect(test.store.exists("a/2"))
    }

    @Test(arguments: StoreKind.allCases)
    func deleteDirectoryRemovesItsContents(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        for path in ["a/1", "a/b/2", "c"] { try await test.store.save("x", to: path) }
        try await test.store.deleteDirectory("a")
        #expect(try await test.store.paths() == ["c"])
        await #expect(throws: FileStoreError.notADirectory(path: "c")) {
            try await test.store.deleteDirectory("c")
        }
        #expect(test.store.exists("c"))
        try await test.store.save("y", to: "a/b/2")
        #expect(try await test.store.paths() == ["a", "a/b", "a/b/2", "c"])
    }

    @Test(arguments: StoreKind.allCases)
    func deleteAllLeavesAnEmptyStore(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        for path in ["a/1", "a/b/2", "c"] { try await test.store.save("x", to: path) }
        try await test.store.deleteAll()
        #expect(try await test.store.paths() == [])
        #expect(try await test.store.totalSize() == 0)
        try await test.store.deleteAll()
        try await test.store.save("y", to: "a")
        #expect(try await test.store.text("a") == "y")
    }

    @Test func deleteAllLeavesTheEmptyFolderOfTheStore() async throws {
        let test = try TestStore(.disk)
        try await test.store.deleteAll()
        let root = test.store.url(for: "a").deletingLastPathComponent()
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).isEmpty)
        let parent = root.deletingLastPathComponent()
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path) == ["store"])
    }
}
