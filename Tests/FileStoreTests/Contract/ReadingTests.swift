import FileStore
import Foundation
import Testing

struct ReadingTests {
    @Test(arguments: StoreKind.allCases)
    func missingFilesAreNotFound(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        for path in ["a", "a/b/c"] {
            let missing = FileStoreError.fileNotFound(path: path)
            await #expect(throws: missing) { try await test.store.load(path) }
            #expect(throws: missing) { try test.store.info(for: path) }
            #expect(throws: missing) { try test.store.size(of: path) }
            await #expect(throws: missing) { try await test.store.delete(path) }
            await #expect(throws: missing) { try await test.store.deleteDirectory(path) }
            await #expect(throws: missing) { try await test.store.list(in: path) }
            #expect(!test.store.exists(path))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func storeThatWasNeverWrittenToIsEmpty(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        #expect(try await test.store.list().isEmpty)
        #expect(try await test.store.totalSize() == 0)
        #expect(
            try FileManager.default.subpathsOfDirectory(
                atPath: test.outside.deletingLastPathComponent().path) == ["outside"])
    }

    @Test(arguments: StoreKind.allCases)
    func existsIsTrueForFilesAndFolders(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        try await test.store.save("x", to: "a/b")
        #expect(test.store.exists("a"))
        #expect(test.store.exists("a/b"))
        #expect(!test.store.exists("a/c"))
        #expect(!test.store.exists("a/b/c"))
    }

    @Test(arguments: StoreKind.allCases)
    func infoDescribesAFile(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let start = Date()
        try await test.store.save("12345", to: "avatars/photo.jpg")
        let info = try test.store.info(for: "avatars/photo.jpg")
        #expect(info.name == "photo.jpg")
        #expect(info.relativePath == "avatars/photo.jpg")
        #expect(info.url == test.store.url(for: "avatars/photo.jpg"))
        #expect(info.size == 5)
        #expect(!info.isDirectory)
        // The clock of some file systems is up to one tick late.
        let now = start.addingTimeInterval(-1)...Date().addingTimeInterval(1)
        #expect(now.contains(try #require(info.createdAt)))
        #expect(now.contains(try #require(info.modifiedAt)))
    }

    @Test(arguments: StoreKind.allCases)
    func infoDescribesAFolder(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        try await test.store.save("12345", to: "a/b/c")
        let info = try test.store.info(for: "a/b")
        #expect(info.name == "b")
        #expect(info.isDirectory)
        #expect(info.size == 0)
        #expect(throws: FileStoreError.isDirectory(path: "a/b")) {
            try test.store.size(of: "a/b")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func listIsFlatAndOfTheRootByDefault(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        for path in ["b/2", "a", "b/1/x", "c"] { try await test.store.save("x", to: path) }
        #expect(try await test.store.list().map(\.relativePath) == ["a", "b", "c"])
        #expect(try await test.store.list(in: "b").map(\.relativePath) == ["b/1", "b/2"])
        #expect(try await test.store.list(in: "b").map(\.name) == ["1", "2"])
    }

    @Test(arguments: StoreKind.allCases)
    func recursiveListGoesIntoFoldersInOrder(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        for path in ["b/2", "a", "b/1/x", "c"] { try await test.store.save("x", to: path) }
        #expect(
            try await test.store.list(recursive: true).map(\.relativePath)
                == ["a", "b", "b/1", "b/1/x", "b/2", "c"])
        #expect(
            try await test.store.list(in: "b", recursive: true).map(\.relativePath)
                == ["b/1", "b/1/x", "b/2"])
    }

    @Test(arguments: StoreKind.allCases)
    func listedFilesEqualTheirInfo(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        for path in ["b/2", "a", "b/1/x"] { try await test.store.save(path, to: path) }
        for file in try await test.store.list(recursive: true) {
            #expect(try test.store.info(for: file.relativePath) == file)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func sizesAreInBytes(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        try await test.store.save(Data(count: 1000), to: "a/b")
        try await test.store.save(Data(count: 24), to: "c")
        #expect(try test.store.size(of: "a/b") == 1000)
        #expect(try await test.store.totalSize() == 1024)
    }

    @Test(arguments: StoreKind.allCases)
    func listingAFileIsAnError(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        try await test.store.save("x", to: "a")
        await #expect(throws: FileStoreError.notADirectory(path: "a")) {
            try await test.store.list(in: "a")
        }
    }
}
