import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Locks that keep the folders between the collections of one write in place, and locks that have nothing to do with it.
struct FolderHoldTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>
    private let files = LocalFileSystem()

    init() throws {
        sandbox = try Sandbox()
        boxes = try Directory(
            at: sandbox.url("a/store"), index: "boxes.json", options: Self.impatient)
        try boxes.append(contentsOf: [1, 2].map { Box(id: $0, folderName: "b\($0)") })
        for id in 1...2 {
            try boxes.child(.parts, of: id).append(Box(id: id + 2, folderName: "part\(id + 2)"))
        }
        try boxes.child(.notes, of: 1).append(.eggs)
    }

    private static let impatient = DirectoryOptions(lockTimeout: .milliseconds(50))

    private func folder(_ path: String) throws -> Handle {
        try files.openFolder(at: sandbox.url(path).path)
    }

    /// Backup programs lock folders, and everybody can lock the folder of temporary files.
    @Test func locksOfFoldersByOtherProgramsChangeNothing() throws {
        let held = try [".", "a", "a/store", "a/store/b1", "a/store/b2", "a/store/b1/part3"]
            .map(folder)
        for folder in held { #expect(try files.tryLock(folder)) }
        try changeEverything()
        withExtendedLifetime(held) {}
    }

    private func changeEverything() throws {
        try boxes.write { draft in
            try draft.append(Box(id: 5, folderName: "b5"))
            try draft.write(.notes, of: 1) { try $0.append(.milk) }
        }
        let parts = try [1, 2].map { try boxes.child(.parts, of: $0) }
        try parts[0].transfer([3], to: parts[1])
        #expect(parts[1].count == 2 && parts[0].isEmpty)
        try boxes.update(id: 1) { $0.folderName = "new" }
        try boxes.remove(id: 2)
        #expect(!sandbox.exists("a/store/b2"))
        #expect(try boxes.notes(of: 1) == [.eggs, .milk])
    }

    /// The other program's lock file lies beside the store, and above it.
    @Test func lockFilesOfOtherProgramsChangeNothing() throws {
        for path in ["a/.other.lock", "a/store/.other.lock"] { try sandbox.write("1", to: path) }
        let held = try ["a", "a/store"].map {
            try files.openFile(".other.lock", in: folder($0), for: .update)
        }
        for file in held { #expect(try files.tryLock(file)) }
        try changeEverything()
        withExtendedLifetime(held) {}
    }

    private func lock(in path: String) throws -> Handle {
        let lock = try files.openFile(".boxes.lock", in: folder(path), for: .update)
        #expect(try files.tryLock(lock))
        return lock
    }

    /// The index above has the folders of both collections, so its holder could move them.
    @Test func transferWaitsForTheIndexThatCanMoveItsFolders() throws {
        let parts = try [1, 2].map { try boxes.child(.parts, of: $0) }
        do {
            let held = try lock(in: "a/store")
            expectError(.locked) { try parts[0].transfer([3], to: parts[1]) }
            withExtendedLifetime(held) {}
        }
        try parts[0].transfer([3], to: parts[1])
        #expect(parts[1].count == 2)
    }

    /// An index above both collections can move both at once only, which changes no way between them.
    @Test func transferDoesNotWaitForAnIndexAboveBothCollections() throws {
        try Directory<Box>(at: sandbox.url("a"), index: "boxes.json")
            .append(Box(id: 1, folderName: "other"))
        let held = try lock(in: "a")
        let parts = try [1, 2].map { try boxes.child(.parts, of: $0) }
        try parts[0].transfer([3], to: parts[1])
        #expect(parts[1].count == 2)
        withExtendedLifetime(held) {}
    }

    /// The index above is the other collection of the transfer, which has it locked.
    @Test func transferToTheIndexAboveWaitsForNothing() throws {
        try boxes.child(.parts, of: 1).transfer([3], to: boxes)
        #expect(boxes[id: 3]?.folderName == "part3" && sandbox.exists("a/store/part3"))
    }

    /// What a dead process left inside is ended first: that needs a lock which the transfer shares afterwards.
    @Test func transferEndsAWriteThatNeedsAnIndexAbove() throws {
        try boxes.child(.parts, of: 1).child(.parts, of: 3)
            .append(Box(id: 7, folderName: "inner"))
        func open(_ path: String, _ name: String, on process: ProcessFileSystem) throws
            -> Directory<Box>
        {
            try Directory(
                at: sandbox.url(path), index: "\(name).json", options: Self.impatient, on: process)
        }
        let killed = JointKill.undecided.process
        _ = try? open("a/store/b1/part3", "parts", on: killed)
            .transfer([7], to: open("a/store", "inbox", on: killed))
        #expect(killed.isDead)
        let process = ProcessFileSystem(LocalFileSystem())
        let parts = try [1, 2].map { try open("a/store/b\($0)", "parts", on: process) }
        try parts[0].transfer([3], to: parts[1])
        #expect(parts[0].isEmpty && parts[1].count == 2)
        #expect(sandbox.exists("a/store/b2/part3/inner"))
    }

    /// A copy has no lock files; somebody makes one when the transfer has looked for them.
    @Test func lockFileThatIsNewIsSeenAfterTheRecordsAreWritten() throws {
        try sandbox.remove("a/store/.boxes.lock")
        let held = Mutex<Handle?>(nil)
        let process = ProcessFileSystem(LocalFileSystem()) { [sandbox] _, call in
            guard call.hasSuffix(" prepared") else { return .works }
            let files = LocalFileSystem()
            let folder = try? files.openFolder(at: sandbox.url("a/store").path)
            let access = FileAccess.openOrCreate(mode: 0o600)
            let lock = folder.flatMap { try? files.openFile(".boxes.lock", in: $0, for: access) }
            if let lock, (try? files.tryLock(lock)) == true { held.withLock { $0 = $0 ?? lock } }
            return .works
        }
        let parts = try [1, 2].map { id in
            try Directory<Box>(
                at: sandbox.url("a/store/b\(id)"), index: "parts.json", options: Self.impatient,
                on: process)
        }
        expectError(.locked) { try parts[0].transfer([3], to: parts[1]) }
        #expect(held.withLock { $0 != nil })
        #expect(parts[0].count == 1 && parts[1].count == 1)
        held.withLock { $0 = nil }
        try parts[0].transfer([3], to: parts[1])
        #expect(parts[1].count == 2)
    }

    @Test func containerCannotMoveIntoItself() throws {
        let inner = try boxes.child(.parts, of: 1).child(.parts, of: 3)
        expectError(.invalidLocation) { try boxes.transfer([1], to: inner) }
        #expect(boxes.count == 2 && inner.isEmpty)
    }
}
