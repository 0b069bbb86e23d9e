import FileStore
import Foundation
import TestSupport
import Testing

struct WritingTests {
    @Test(arguments: StoreKind.allCases)
    func savedBytesAreLoaded(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        for count in [0, 1, 4096, 3_000_001] {
            let data = Data.pattern(count)
            try await test.store.save(data, to: "bytes")
            #expect(try await test.store.load("bytes") == data)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func saveMakesMissingFolders(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        try await test.store.save("x", to: "tasks/42/photo.jpg")
        #expect(try await test.store.paths() == ["tasks", "tasks/42", "tasks/42/photo.jpg"])
    }

    @Test(arguments: StoreKind.allCases)
    func saveOverwritesByDefault(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        try await test.store.save(Data("a longer text".utf8), to: "a")
        try await test.store.save(Data("short".utf8), to: "a")
        #expect(try await test.store.text("a") == "short")
    }

    @Test(arguments: StoreKind.allCases)
    func nothingIsOverwrittenIfOverwriteIsFalse(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let source = try test.source("new")
        try await test.store.save("old", to: "a", overwrite: false)
        await #expect(throws: FileStoreError.fileAlreadyExists(path: "a")) {
            try await test.store.save("new", to: "a", overwrite: false)
        }
        await #expect(throws: FileStoreError.fileAlreadyExists(path: "a")) {
            try await test.store.copy(from: source, to: "a", overwrite: false)
        }
        await #expect(throws: FileStoreError.fileAlreadyExists(path: "a")) {
            try await test.store.move(from: source, to: "a", overwrite: false)
        }
        #expect(try await test.store.text("a") == "old")
        #expect(try String(contentsOf: source, encoding: .utf8) == "new")
        #expect(try await test.store.paths() == ["a"])
    }

    @Test(arguments: StoreKind.allCases)
    func copyKeepsTheSource(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let source = try test.source("text")
        try await test.store.save("old", to: "a/copy")
        try await test.store.copy(from: source, to: "a/copy")
        #expect(try await test.store.text("a/copy") == "text")
        #expect(try String(contentsOf: source, encoding: .utf8) == "text")
        try await test.store.save("changed", to: "a/copy")
        #expect(try String(contentsOf: source, encoding: .utf8) == "text")
    }

    @Test(arguments: StoreKind.allCases)
    func copyOfALargeFileIsWhole(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let data = Data.pattern(9 << 20)
        let source = test.outside.appending(path: "large")
        try data.write(to: source)
        try await test.store.copy(from: source, to: "large")
        #expect(try await test.store.load("large") == data)
    }

    @Test(arguments: StoreKind.allCases)
    func moveRemovesTheSource(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let source = try test.source("text")
        try await test.store.save("old", to: "a/b")
        try await test.store.move(from: source, to: "a/b")
        #expect(try await test.store.text("a/b") == "text")
        #expect(!FileManager.default.fileExists(atPath: source.path))
    }

    @Test(arguments: StoreKind.allCases)
    func filesOfTheStoreAreSourcesByTheirURLs(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        try await test.store.save("text", to: "a")
        try await test.store.copy(from: test.store.url(for: "a"), to: "b/copy")
        try await test.store.move(from: test.store.url(for: "a"), to: "c")
        #expect(try await test.store.paths() == ["b", "b/copy", "c"])
        #expect(try await test.store.text("b/copy") == "text")
        #expect(try await test.store.text("c") == "text")
    }

    @Test(arguments: StoreKind.allCases)
    func movingAFileOntoItselfKeepsIt(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        try await test.store.save("text", to: "a")
        let url = test.store.url(for: "a")
        try await test.store.move(from: url, to: "a")
        try await test.store.copy(from: url, to: "a")
        await #expect(throws: FileStoreError.fileAlreadyExists(path: "a")) {
            try await test.store.move(from: url, to: "a", overwrite: false)
        }
        #expect(try await test.store.text("a") == "text")
    }

    @Test(arguments: StoreKind.allCases)
    func sourcesMustBeFiles(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let (folder, link) = (test.outside, test.outside.appending(path: "link"))
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: try test.source("text"))
        let missing = folder.appending(path: "missing")
        let web = try #require(URL(string: "https://example.com/photo.jpg"))
        for write in [test.store.copy, test.store.move] {
            await #expect(throws: FileStoreError.fileNotFound(path: missing.path)) {
                try await write(missing, "a", true)
            }
            await #expect(throws: FileStoreError.isDirectory(path: folder.path + "/")) {
                try await write(folder, "a", true)
            }
            for source in [link, web] {
                await #expect {
                    try await write(source, "a", true)
                } throws: {
                    FileStoreError.isInvalidPath($0)
                }
            }
        }
        #expect(try await test.store.paths() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func filesAndFoldersAreNotMistakenForEachOther(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        try await test.store.save("text", to: "folder/file")
        await #expect(throws: FileStoreError.isDirectory(path: "folder")) {
            try await test.store.save("x", to: "folder")
        }
        await #expect(throws: FileStoreError.isDirectory(path: "folder")) {
            try await test.store.load("folder")
        }
        await #expect(throws: FileStoreError.notADirectory(path: "folder/file/x")) {
            try await test.store.save("x", to: "folder/file/x")
        }
        await #expect(throws: FileStoreError.notADirectory(path: "folder/file/x")) {
            try await test.store.load("folder/file/x")
        }
        await #expect(throws: FileStoreError.notADirectory(path: "folder/file")) {
            try await test.store.createDirectory("folder/file")
        }
        #expect(try await test.store.text("folder/file") == "text")
    }

    @Test(arguments: StoreKind.allCases)
    func createDirectoryMakesAFolderOnce(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        try await test.store.createDirectory("projects/q2")
        try await test.store.save("x", to: "projects/q2/a")
        try await test.store.createDirectory("projects/q2")
        #expect(try await test.store.paths() == ["projects", "projects/q2", "projects/q2/a"])
    }

    @Test(arguments: StoreKind.allCases)
    func unusualNamesAreKept(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let names = [
            " ", "...", "..a", "a%2Fb", "%2e%2e", "a?b#c", "a:b", "~", "\\..\\", ".hidden", "Ärger",
            "👩‍👩‍👧", "a\nb", "-rf", "*", String(repeating: "x", count: 255), "con", "file:",
            ".filestore-0",
        ]
        for name in names { try await test.store.save(name, to: "names/\(name)") }
        #expect(try await test.store.list(in: "names").count == names.count)
        for name in names {
            #expect(try await test.store.text("names/\(name)") == name)
            #expect(test.store.url(for: "names/\(name)").lastPathComponent == name)
        }
    }
}
