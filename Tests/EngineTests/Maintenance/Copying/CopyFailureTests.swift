import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Copies that are refused, or do not come to their end.
struct CopyFailureTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.boxes("store")
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.child(.photos, of: 1).insert((0..<3).map { Data("photo \($0)".utf8) })
        try boxes.child(.notes, of: 1).append(.eggs)
    }

    /// The boxes as another process has them open.
    private func boxes(on process: any FileSystem) throws -> Directory<Box> {
        try Directory(at: sandbox.url("store"), index: "boxes.json", on: process)
    }

    /// The store without lock files.
    private func original() throws -> [String: Sandbox.Entry] {
        try sandbox.tree("store").filter { !$0.key.hasSuffix(".lock") }
    }

    @Test func whatIsAtTheDestinationStays() throws {
        try sandbox.write("mine", to: "folder/file")
        try sandbox.write("mine", to: "file")
        try sandbox.makeSymbolicLink("link", to: sandbox.url("missing"))
        let before = try sandbox.tree()
        for name in ["folder", "file", "link", "store"] {
            expectError(.nameTaken) { try boxes.copy(to: sandbox.url(name)) }
        }
        #expect(try sandbox.tree() == before)
    }

    @Test func copyInsideWhatIsCopiedIsRefused() throws {
        try sandbox.makeSymbolicLink("link", to: sandbox.url("store/One"))
        let before = try sandbox.tree()
        for path in ["store/One/copy", "store/One/photos/a/b", "store/.trash/copy", "link/copy"] {
            expectError(.invalidLocation, "\(path)") { try boxes.copy(to: sandbox.url(path)) }
        }
        let notes = try boxes.child(.notes, of: 1)
        expectError(.invalidLocation) { try notes.copy(to: sandbox.url("store/One/notes")) }
        expectError(.invalidLocation) { try boxes.copy(to: #require(URL(string: "https://a/b"))) }
        #expect(try sandbox.tree() == before)
    }

    @Test func copyBesideWhatIsCopiedIsPossible() throws {
        let own = try original()
        try boxes.copy(to: sandbox.url("store/Backups/today"))
        #expect(try sandbox.copied("store/Backups/today") == own)
        try boxes.child(.notes, of: 1).copy(to: sandbox.url("store/One/Notes of today"))
        #expect(try sandbox.copied("store/One/Notes of today").keys.sorted() == ["notes.json"])
    }

    @Test func bytesAreCopiedIfTheVolumeCannotShareThem() throws {
        let calls = VolumeCalls(cloneAs: { _, _, _ in -1 }, cloneInto: { _, _ in -1 })
        let process = ProcessFileSystem(LocalFileSystem(calls: calls))
        try boxes(on: process).copy(to: sandbox.url("copy"))
        #expect(try sandbox.copied("copy") == original())
    }

    @Test(.enabled(if: OtherVolume.exists)) func copyToAnotherVolumeIsEqual() throws {
        let other = try OtherVolume()
        try boxes.copy(to: other.url.appending(path: "copy"))
        let copy = try Directory<Box>(at: other.url.appending(path: "copy"), index: "boxes.json")
        #expect(try copy.verify() == [])
        let photos = try copy.child(.photos, of: 1)
        #expect(try photos.verify() == [])
        #expect(try photos.items.map { try photos.data(of: $0.id).count } == [7, 7, 7])
    }

    @Test func progressCountsTheBytes() async throws {
        let progress = Progress(totalUnitCount: 0)
        try await boxes.copy(to: sandbox.url("copy"), progress: progress)
        let bytes = try original().values.reduce(0) { sum, entry in
            if case .file(let bytes, _) = entry { sum + bytes.count } else { sum }
        }
        #expect(progress.completedUnitCount == Int64(bytes))
        #expect(progress.totalUnitCount == Int64(bytes))
        #expect(progress.isFinished)
    }

    @Test func cancelledCopyLeavesNothing() async throws {
        let before = try sandbox.tree()
        let progress = Progress(totalUnitCount: 0)
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            // The second photo.
            if call.hasPrefix("link ") || call.hasPrefix("clone "), call.contains("photos/") {
                progress.cancel()
            }
            return .works
        }
        let other = try boxes(on: process)
        #expect(throws: CancellationError.self) {
            try other.copy(to: sandbox.url("copy"), progress: progress)
        }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await boxes.copy(to: sandbox.url("copy"))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try sandbox.tree() == before)
    }

    @Test func copyInsideAChangeIsRefused() throws {
        let notes = try boxes.child(.notes, of: 1)
        try boxes.write { _ in
            expectError(.nestedWrite) { try boxes.copy(to: sandbox.url("copy")) }
            expectError(.nestedWrite) { try notes.copy(to: sandbox.url("copy")) }
        }
        #expect(!sandbox.exists("copy"))
    }

    @Test func removedContainerIsNotCopied() throws {
        let notes = try boxes.child(.notes, of: 1)
        try notes.load()
        try boxes.remove(id: 1)
        expectError(.containerRemoved) { try notes.copy(to: sandbox.url("copy")) }
        #expect(!sandbox.exists("copy"))
    }

    @Test func leftoversOfDeadProcessesAreRemoved() throws {
        let (dead, living) = (".\(RandomName.digits()).copy", ".\(RandomName.digits()).copy")
        try sandbox.write("[]", to: "backups/\(dead)/boxes.json")
        try sandbox.write("[]", to: "backups/\(living)/boxes.json")
        try sandbox.write("mine", to: "backups/.mine.copy/file")
        let folder = try LocalFileSystem().openFolder(at: sandbox.url("backups/\(living)").path)
        try #require(try LocalFileSystem().tryLock(folder))
        try boxes.copy(to: sandbox.url("backups/copy"))
        withExtendedLifetime(folder) {}
        let names = try FileManager.default.contentsOfDirectory(
            atPath: sandbox.url("backups").path)
        #expect(names.sorted() == [living, ".mine.copy", "copy"].sorted())
    }

    @Test func copyOfAStoreThatCannotBeWrittenToIsPossible() throws {
        try boxes.checkpoint()
        let store = sandbox.url("store").path
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            let writes = ["create", "write", "make", "rename", "remove"].contains {
                call.hasPrefix("\($0) ")
            }
            return writes && call.contains("\(store)/") ? .fails(.readOnly) : .works
        }
        try boxes(on: process).copy(to: sandbox.url("copy"))
        #expect(try sandbox.copied("copy") == original())
    }
}
