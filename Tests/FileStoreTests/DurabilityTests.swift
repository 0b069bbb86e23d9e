import FileStore
import FileSystem
import Foundation
import Synchronization
import Testing

@Suite struct DurabilityTests {
    /// The order that makes a save durable, with every folder that was made for it.
    @Test func everySyncIsInItsPlace() async throws {
        let calls = Calls()
        let disk = HookedFileSystem(MemoryFileSystem()) { calls.add($0) }
        try await DiskFileStore(at: URL(filePath: "/x/store"), on: disk)
            .save("text", to: "a/file")
        let changes = calls.all.filter {
            ["makeFolder", "openFile", "write", "rename", "sync"].contains($0.name)
        }
        let temporary = try #require(changes.first { $0.name == "openFile" }?.path)
        #expect(
            changes.map { "\($0.name) \($0.path)" } == [
                "makeFolder /x", "sync /", "makeFolder /x/store", "sync /x",
                "makeFolder /x/store/a", "sync /x/store", "openFile \(temporary)",
                "write \(temporary)", "sync \(temporary)", "rename /x/store/a/file",
                "sync /x/store/a",
            ])
    }

    /// A folder that another process made may not be durable yet.
    @Test func foldersOfOthersAreSyncedOnce() async throws {
        let (calls, disk) = (Calls(), MemoryFileSystem())
        let root = URL(filePath: "/store")
        try await DiskFileStore(at: root, on: disk).save("x", to: "a/b/file")
        let store = DiskFileStore(at: root, on: HookedFileSystem(disk) { calls.add($0) })
        for _ in 0..<2 { try await store.save("y", to: "a/b/file") }
        let folders = calls.all.filter { $0.name == "sync" && !$0.path.contains(".filestore-") }
        #expect(
            folders.map(\.path) == ["/", "/store", "/store/a", "/store/a/b", "/store/a/b"])
    }
}

/// The calls that a file system was told of.
private final class Calls: Sendable {
    private let calls = Mutex<[HookedFileSystem.Call]>([])

    var all: [HookedFileSystem.Call] { calls.withLock { $0 } }

    func add(_ call: HookedFileSystem.Call) { calls.withLock { $0.append(call) } }
}
