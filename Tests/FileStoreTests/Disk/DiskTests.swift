import FileStore
import FileSystem
import Foundation
import TestSupport
import Testing

struct DiskTests {
    let temporary: TemporaryFolder
    let root: URL
    let store: DiskFileStore

    init() throws {
        temporary = try TemporaryFolder()
        root = temporary.url.appending(path: "new/store", directoryHint: .isDirectory)
        store = DiskFileStore(at: root)
    }

    private func mode(_ path: String) throws -> Int? {
        let path = root.appending(path: path).path
        return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func onlyTheOwnerHasAccessToFilesAndFolders() async throws {
        let source = temporary.url.appending(path: "source")
        for write in [store.copy, store.move] {
            try Data("x".utf8).write(to: source)
            #expect(chmod(source.path, 0o644) == 0)
            try await write(source, "a/b/file", true)
            #expect(try mode("a/b/file") == 0o600)
        }
        try await store.save("x", to: "a/b/saved")
        #expect(try mode("a/b/saved") == 0o600)
        for folder in ["", "a", "a/b"] { #expect(try mode(folder) == 0o700) }
    }

    @Test func existingFolderGetsTheModeOfTheStore() async throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        #expect(chmod(root.path, 0o755) == 0)
        try await store.save("x", to: "a")
        #expect(try mode("") == 0o700)
    }

    @Test func existingFolderKeepsItsModeWithoutProtection() async throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        #expect(chmod(root.path, 0o755) == 0)
        try await DiskFileStore(at: root, fileProtection: .none).save("x", to: "a/b")
        #expect(try mode("") == 0o755)
        #expect(try mode("a") == 0o700)
        #expect(try mode("a/b") == 0o600)
    }

    /// A process in a sandbox, which grants the store's folder and not the one above it.
    private var sandboxed: ProcessFileSystem {
        let above = root.deletingLastPathComponent()
        let calls = ["open \(above.path)", "open \(above.path(percentEncoded: false))"]
        return ProcessFileSystem(LocalFileSystem()) { _, call in
            calls.contains(call) ? .fails(.notPermitted) : .works
        }
    }

    @Test func theFolderAboveDoesNotHaveToBeReadable() async throws {
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let sandboxed = sandboxed
        let picked = DiskFileStore(at: root, on: sandboxed)
        try await picked.save("x", to: "a/b")
        #expect(try await picked.text("a/b") == "x")
        #expect(try await picked.list() == store.list())
        try await picked.deleteDirectory("a")
        #expect(try await store.list() == [])
        let above = root.deletingLastPathComponent().path(percentEncoded: false)
        #expect(sandboxed.log.contains("open \(above)"))
    }

    @Test(arguments: [true, false])
    func aLinkInPlaceOfTheFolderIsNotFollowed(_ isSandboxed: Bool) async throws {
        let target = temporary.url.appending(path: "target")
        let manager = FileManager.default
        for folder in [target, root.deletingLastPathComponent()] {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try manager.createSymbolicLink(
            at: temporary.url.appending(path: "new/store"), withDestinationURL: target)
        let linked = DiskFileStore(at: root, on: isSandboxed ? sandboxed : LocalFileSystem())
        let error = FileStoreError.invalidPath(
            path: root.path, reason: "a symbolic link or a device is where a file or folder must be"
        )
        await #expect(throws: error) { try await linked.save("x", to: "a/b") }
        await #expect(throws: error) { try await linked.list() }
        #expect(try manager.contentsOfDirectory(atPath: target.path) == [])
    }

    @Test(arguments: [true, false])
    func aFileInPlaceOfTheFolderIsAnError(_ isSandboxed: Bool) async throws {
        let above = root.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: above, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: above.appending(path: "store"))
        let misplaced = DiskFileStore(at: root, on: isSandboxed ? sandboxed : LocalFileSystem())
        await #expect(throws: FileStoreError.notADirectory(path: root.path)) {
            try await misplaced.save("x", to: "a")
        }
    }

    @Test func aFolderThatIsRefusedItselfIsAnErrorOfThatFolder() async throws {
        let refused = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("open") ? .fails(.accessDenied) : .works
        }
        await #expect(throws: FileStoreError.self) {
            try await DiskFileStore(at: root, on: refused).save("x", to: "a")
        }
    }

    @Test func readingMakesNothing() async throws {
        _ = try await store.list()
        _ = store.exists("a")
        _ = try? await store.load("a")
        _ = try? await store.deleteDirectory("a")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.url.path).isEmpty)
    }

    @Test func urlsLeadToTheFiles() async throws {
        for name in ["a b", "a%2Fb", "ä?#:", "👩‍👩‍👧"] {
            try await store.save(name, to: "x/\(name)")
            let url = store.url(for: "x/\(name)")
            #expect(try String(contentsOf: url, encoding: .utf8) == name)
            #expect(try store.info(for: "x/\(name)").url == url)
        }
    }

    @Test func copyIsACloneIfTheVolumeCanClone() async throws {
        let disk = MemoryFileSystem()
        try await DiskFileStore(at: URL(filePath: "/inbox"), on: disk).save("x", to: "source")
        let process = ProcessFileSystem(disk)
        let store = DiskFileStore(at: URL(filePath: "/store"), on: process)
        try await store.copy(from: URL(filePath: "/inbox/source"), to: "file")
        #expect(process.log.contains { $0.hasPrefix("clone /inbox/source") })
        #expect(!process.log.contains { $0.hasPrefix("copy ") || $0.hasPrefix("write ") })
        #expect(try await store.text("file") == "x")
    }

    /// In a sandbox, a file that the user picked may be opened, and its folder may not.
    @Test func fileInAFolderThatCannotBeOpenedIsCopiedAndNotMoved() async throws {
        let disk = MemoryFileSystem()
        try await DiskFileStore(at: URL(filePath: "/inbox"), on: disk).save("x", to: "source")
        let sandbox = ProcessFileSystem(disk) { _, call in
            call == "open /inbox/" ? .fails(.notPermitted) : .works
        }
        let store = DiskFileStore(at: URL(filePath: "/store"), on: sandbox)
        let source = URL(filePath: "/inbox/source")
        try await store.copy(from: source, to: "copy")
        #expect(try await store.text("copy") == "x")
        let error = await #expect(throws: FileStoreError.self) {
            try await store.move(from: source, to: "moved")
        }
        guard case .readFailed(path: "/inbox/source", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await store.list().map(\.name) == ["copy"])
        #expect(try disk.readAll("source", in: disk.openFolder(at: "/inbox")) != nil)
    }

    @Test func movingKeepsTheFileItselfOnOneVolume() async throws {
        let source = temporary.url.appending(path: "source")
        try Data("x".utf8).write(to: source)
        let number = try FileManager.default.attributesOfItem(atPath: source.path)[
            .systemFileNumber]
        try await store.move(from: source, to: "a")
        let moved = try FileManager.default.attributesOfItem(
            atPath: store.url(for: "a").path)[.systemFileNumber]
        #expect(try #require(number as? Int) == moved as? Int)
    }

    @Test func movingAFileWithASecondNameKeepsThatName() async throws {
        let (source, second) = (
            temporary.url.appending(path: "source"), temporary.url.appending(path: "second")
        )
        try Data("text".utf8).write(to: source)
        #expect(chmod(source.path, 0o644) == 0)
        try FileManager.default.linkItem(at: source, to: second)
        try await store.move(from: source, to: "moved")
        try FileHandle(forWritingTo: second).write(contentsOf: Data("TEXT".utf8))
        #expect(try await store.text("moved") == "text")
        #expect(!FileManager.default.fileExists(atPath: source.path))
        let mode = try FileManager.default.attributesOfItem(atPath: second.path)[.posixPermissions]
        #expect(mode as? Int == 0o644)
    }

    @Test func movingFromAnotherVolumeCopiesAndRemoves() async throws {
        let source = temporary.url.appending(path: "source")
        try Data("text".utf8).write(to: source)
        let divided = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("rename \(source.path) ") ? .fails(.crossDevice) : .works
        }
        try await DiskFileStore(at: root, on: divided).move(from: source, to: "moved")
        #expect(try await store.text("moved") == "text")
        #expect(!FileManager.default.fileExists(atPath: source.path))
    }

    @Test func sourceThatCannotBeRemovedIsReportedAndKept() async throws {
        let source = temporary.url.appending(path: "source")
        try Data("text".utf8).write(to: source)
        let divided = ProcessFileSystem(LocalFileSystem()) { _, call in
            if call.hasPrefix("rename \(source.path) ") { return .fails(.crossDevice) }
            return call == "remove \(source.path)" ? .fails(.readOnly) : .works
        }
        await #expect {
            try await DiskFileStore(at: root, on: divided).move(from: source, to: "moved")
        } throws: {
            if case .deleteFailed(source.path, _)? = $0 as? FileStoreError { true } else { false }
        }
        #expect(try await store.text("moved") == "text")
        #expect(try String(contentsOf: source, encoding: .utf8) == "text")
    }

    /// Such folders are above an app's sandbox.
    @Test func foldersFarAboveNeedNotBeAccessible() async throws {
        let disk = MemoryFileSystem()
        try await DiskFileStore(at: URL(filePath: "/a/b/other"), on: disk).save("x", to: "file")
        let process = ProcessFileSystem(disk) { _, call in
            ["open /", "open /a"].contains(call) ? .fails(.notPermitted) : .works
        }
        let store = DiskFileStore(at: URL(filePath: "/a/b/new/store"), on: process)
        try await store.save("x", to: "file")
        #expect(try await store.text("file") == "x")
    }

    @Test func folderRemovedDuringAListIsListedAsEmpty() async throws {
        try await store.save("x", to: "a/file")
        try await store.save("x", to: "b")
        let folder = root.appending(path: "a")
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            if call == "list \(folder.path)" {
                #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) }
            }
            return .works
        }
        #expect(try await DiskFileStore(at: root, on: process).paths() == ["a", "b"])
    }

    @Test func namesThatAreNotUTF8AreNotListed() async throws {
        let disk = MemoryFileSystem()
        let store = DiskFileStore(at: URL(filePath: "/store"), on: disk)
        try await store.save("x", to: "ä\u{FFFD}")
        try disk.put("y", as: try #require(FileName(bytes: [0x61, 0xFF])), in: "/store")
        #expect(try await store.paths() == ["ä\u{FFFD}"])
        #expect(try await store.totalSize() == 1)
    }

    @Test func onlyStaleTemporaryFilesAreRemovedAndNoneIsListed() async throws {
        let name = ".filestore-0123456789abcdef0123456789abcdef"
        let names = [
            name, name.dropLast() + "0", name + "0", String(name.dropLast()), name.uppercased(),
            ".filestore-", "filestore", String(name.dropFirst()),
        ]
        try FileManager.default.createDirectory(
            at: root.appending(path: "a/" + name.dropLast() + "1"),
            withIntermediateDirectories: true)
        for name in names {
            try Data("x".utf8).write(to: root.appending(path: "a/" + name))
        }
        let fresh = names[1]
        for name in try FileManager.default.contentsOfDirectory(
            atPath: root.appending(path: "a").path) where name != fresh
        {
            try FileManager.default.setAge(
                90_000, ofItemAtPath: root.appending(path: "a/" + name).path)
        }
        let kept = Set(names.dropFirst(2).map { String($0) })
        #expect(Set(try await store.list(in: "a").map(\.name)) == kept)
        #expect(try await store.totalSize() == 6)
        try await store.save("x", to: "a/new")
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: root.path + "/a"))
                == kept.union(["new", fresh]))
    }

    @Test func leftoversOfAKilledDeleteAllAreRemoved() async throws {
        let left = root.deletingLastPathComponent()
            .appending(path: ".filestore-0123456789abcdef0123456789abcdef")
        try FileManager.default.createDirectory(
            at: left.appending(path: "a"), withIntermediateDirectories: true)
        try FileManager.default.setAge(90_000, ofItemAtPath: left.path)
        try await store.save("x", to: "a")
        #expect(!FileManager.default.fileExists(atPath: left.path))
    }
}
