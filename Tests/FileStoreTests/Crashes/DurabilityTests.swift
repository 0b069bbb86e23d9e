import FileStore
import FileSystem
import Foundation
import TestSupport
import Testing

@Suite struct DurabilityTests {
    /// This order makes a save durable, with every folder that was made for it.
    @Test func saveSyncsFilesAndFoldersInOrder() async throws {
        let process = ProcessFileSystem(MemoryFileSystem())
        try await DiskFileStore(at: URL(filePath: "/x/store"), on: process)
            .save("text", to: "a/file")
        let changes = process.log.filter { call in
            ["make ", "write ", "sync ", "rename "].contains { call.hasPrefix($0) }
        }
        let write = try #require(changes.first { $0.hasPrefix("write ") })
        let temporary = write.dropFirst("write ".count)
        #expect(
            changes == [
                "sync /", "make /x", "sync /", "make /x/store", "sync /x", "make /x/store/a",
                "sync /x/store", "write \(temporary)", "sync \(temporary)",
                "rename \(temporary) to /x/store/a/file", "sync /x/store/a",
            ])
    }

    @Test func moveSyncsTheFileAndFoldersInOrder() async throws {
        let disk = MemoryFileSystem()
        try await DiskFileStore(at: URL(filePath: "/inbox"), on: disk).save("x", to: "source")
        let process = ProcessFileSystem(disk)
        let store = DiskFileStore(at: URL(filePath: "/store"), on: process)
        try await store.createDirectory("a")
        let before = process.calls
        try await store.move(from: URL(filePath: "/inbox/source"), to: "a/file")
        let changes = process.log.dropFirst(before).filter { call in
            ["make ", "write ", "sync ", "rename "].contains { call.hasPrefix($0) }
        }
        #expect(
            changes == [
                "sync /inbox/source", "rename /inbox/source to /store/a/file", "sync /store/a",
                "sync /inbox",
            ])
    }

    /// The other process may not have synced a folder that it made.
    @Test func foldersOfOtherProcessesAreSyncedOnce() async throws {
        let disk = MemoryFileSystem()
        let root = URL(filePath: "/store")
        try await DiskFileStore(at: root, on: disk).save("x", to: "a/b/file")
        let process = ProcessFileSystem(disk)
        let store = DiskFileStore(at: root, on: process)
        for _ in 0..<2 { try await store.save("y", to: "a/b/file") }
        let syncs = process.log.filter { $0.hasPrefix("sync ") && !$0.contains(".filestore-") }
        #expect(
            syncs == [
                "sync /", "sync /store", "sync /store/a", "sync /store/a/b", "sync /store/a/b",
            ])
    }
}
