import FileStore
import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

/// Power losses after a change that builds on what others made and did not sync.
struct DurabilityTests {
    private let root = URL(filePath: "/store")
    private let disk = RecordedDisk(MemoryFileSystem().image)

    /// Expects that the file at `path` has `text` in each state that a power loss now can leave.
    private func expectDurable(
        _ text: String, at path: String, of root: URL? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var images: Set<MemoryFileSystem.Image> = []
        for profile in PowerLoss.Profile.allCases {
            PowerLoss(disk, profile).forEachState(
                at: [disk.moment], .init(exhaustive: 8, samples: 32, tears: 1), seed: 1
            ) { images.insert($0.image) }
        }
        for image in images {
            let store = DiskFileStore(at: root ?? self.root, on: MemoryFileSystem(image))
            let found = try? await store.text(path)
            #expect(found == text, sourceLocation: sourceLocation)
        }
    }

    @Test func firstSaveMakesTheFoldersAboveTheStoreDurable() async throws {
        let root = URL(filePath: "/x/store")
        try await DiskFileStore(at: root, on: disk).save("text", to: "a/file")
        try await expectDurable("text", at: "a/file", of: root)
    }

    @Test(arguments: 0..<5) func saveMakesTheFoldersOfAKilledProcessDurable(
        _ last: Int
    ) async throws {
        let syncs = Atomic(0)
        let other = ProcessFileSystem(disk) { _, call in
            guard call.hasPrefix("sync") else { return .works }
            return syncs.add(1, ordering: .relaxed).oldValue == last ? .killed : .works
        }
        _ = try? await DiskFileStore(at: root, on: other).save("old", to: "a/b/file")
        #expect(other.isDead)
        try await DiskFileStore(at: root, on: disk).save("new", to: "a/b/file")
        try await expectDurable("new", at: "a/b/file")
    }

    @Test func moveMakesTheBytesOfTheSourceDurable() async throws {
        let folder = try disk.openFolder(at: "/")
        let source = try disk.openFile("source", in: folder, for: .create(mode: 0o600))
        try disk.write(Array("text".utf8), to: source, at: 0)
        try await DiskFileStore(at: root, on: disk).move(
            from: URL(filePath: "/source"), to: "a/file")
        try await expectDurable("text", at: "a/file")
    }

    @Test func laterSaveSyncsNoFolderAboveItsOwn() async throws {
        let process = ProcessFileSystem(disk)
        let store = DiskFileStore(at: root, on: process)
        try await store.save("x", to: "a/b/file")
        let before = process.calls
        try await store.save("y", to: "a/b/file")
        let later = process.log[before...]
        for path in ["/", "/store", "/store/a"] {
            #expect(!later.contains("sync \(path)"))
        }
    }
}
