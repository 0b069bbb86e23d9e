import FileStore
import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

/// Deleting frees space, also if none is left.
struct DeletingOnAFullVolumeTests {
    private let disk = MemoryFileSystem()
    private let root = URL(filePath: "/stores/store", directoryHint: .isDirectory)

    /// A volume that has space for no new name until the file `a/file` of the store is removed.
    private func makeFullVolume() -> ProcessFileSystem {
        let isFull = Atomic(true)
        return ProcessFileSystem(disk) { _, call in
            if call.hasPrefix("remove "), call.hasSuffix("/file") {
                isFull.store(false, ordering: .relaxed)
            }
            let needsSpace = ["make ", "create ", "write "].contains { call.hasPrefix($0) }
            return needsSpace && isFull.load(ordering: .relaxed) ? .fails(.noSpace) : .works
        }
    }

    private func names(in path: String) throws -> [String] {
        try disk.list(disk.openFolder(at: path)).map(\.string)
    }

    @Test func deleteAllFreesTheSpaceOfAFullVolume() async throws {
        try await DiskFileStore(at: root, on: disk).save("x", to: "a/file")
        let store = DiskFileStore(at: root, on: makeFullVolume())
        await #expect(throws: FileStoreError.self) { try await store.save("y", to: "a/other") }
        try await store.deleteAll()
        #expect(try names(in: "/stores") == ["store"])
        #expect(try names(in: "/stores/store") == [])
        try await store.save("y", to: "a/file")
    }

    @Test func deleteDirectoryFreesTheSpaceOfAFullVolume() async throws {
        try await DiskFileStore(at: root, on: disk).save("x", to: "a/file")
        let store = DiskFileStore(at: root, on: makeFullVolume())
        try await store.deleteDirectory("a")
        #expect(try names(in: "/stores/store") == [])
    }

    /// The folder left the store, and then the drive failed.
    @Test(arguments: ["sync /stores", "remove /stores/.filestore-"])
    func deleteAllFreesWhatAFailedOneLeft(_ failing: String) async throws {
        try await DiskFileStore(at: root, on: disk).save("x", to: "a/file")
        let hasFailed = Atomic(false)
        let failingDisk = ProcessFileSystem(disk) { _, call in
            call.hasPrefix(failing) && !hasFailed.exchange(true, ordering: .relaxed)
                ? .fails(.ioError) : .works
        }
        let store = DiskFileStore(at: root, on: failingDisk)
        await #expect(throws: FileStoreError.self) { try await store.deleteAll() }
        #expect(try await store.paths() == [])
        #expect(try names(in: "/stores").count == 1)
        try await store.deleteAll()
        #expect(try names(in: "/stores") == ["store"])
    }

    /// A file with such a name beside the store may be one that another process is writing.
    @Test func deleteAllKeepsFilesThatOthersWrite() async throws {
        let store = DiskFileStore(at: root, on: disk)
        try await store.save("x", to: "a")
        try disk.put("x", as: ".filestore-0123456789abcdef0123456789abcdef", in: "/stores")
        try await store.deleteAll()
        #expect(try names(in: "/stores").count == 2)
    }
}
