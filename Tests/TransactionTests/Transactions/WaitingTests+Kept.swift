import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// A removed container can be kept for days. What a call that waited would change there, nobody would see.
extension WaitingTests {
    /// The folders and files that are kept, with their bytes; without lock files, and without the stage of `call`,
    /// which it removes itself.
    private func keptFiles(from call: Call?) throws -> [String: Data] {
        let isStaging = call == .insert || call == .restore
        return try sandbox.tree(".removed")
            .filter { !$0.key.hasSuffix(".lock") && !(isStaging && $0.key.contains("/.staging")) }
            .mapValues { entry in if case .file(let bytes, _) = entry { bytes } else { Data() } }
    }

    /// Makes a call, during which `remove` removes box 1, and expects that it changes nothing that is kept of the box.
    private func expectThatKeptFilesStay(
        from call: Call? = nil,
        removingBy remove: @escaping @Sendable (Directory<Box>) throws -> Void = {
            try $0.remove(id: 1)
        },
        _ perform: () throws -> Void
    ) throws {
        let others = try others(DirectoryOptions(keepsRemoved: .days(1)))
        let before = Mutex<[String: Data]>([:])
        interruption.set {
            try remove(others)
            let files = try keptFiles(from: call)
            before.withLock { $0 = files }
        }
        try perform()
        #expect(interruption.hasRun && !before.withLock(\.isEmpty))
        #expect(try keptFiles(from: call) == before.withLock(\.self))
    }

    @Test(arguments: Sweep.cases(Call.allCases, sample: 1))
    func callThatWaitedChangesNothingThatIsKept(_ call: Call) throws {
        let perform = try prepare(call, boxes(waitingFor: call.lock))
        try expectThatKeptFilesStay(from: call, removingBy: { try removeBox($0) }) {
            expectError(.containerRemoved) { try perform() }
        }
    }

    /// A checkpoint locks twice, and writes the new index in between.
    @Test func newIndexIsNotPlacedInAKeptContainer() throws {
        let notes = try boxes(waitingFor: ".notes.lock").child(.notes, of: 1)
        for id in 10...11 { try notes.append(Note(id)) }
        let journal = try sandbox.bytes("One/.notes.journal")
        let others = try others(DirectoryOptions(keepsRemoved: .days(1)))
        interruption.set { [interruption] in
            interruption.set { try others.remove(id: 1) }
        }
        expectError(.containerRemoved) { try notes.checkpoint() }
        #expect(interruption.hasRun && !sandbox.exists("One"))
        let kept = try keptFiles(from: .checkpoint)
        #expect(kept.first { $0.key.hasSuffix("/.notes.journal") }?.value == journal)
    }

    @Test func callThatWaitedBelowAKeptContainerChangesNothing() throws {
        let boxes = try boxes(waitingFor: "Part/.notes.lock")
        let parts = try boxes.child(.parts, of: 1)
        try parts.append(Box(id: 5, folderName: "Part"))
        let notes = try parts.child(.notes, of: 5)
        try expectThatKeptFilesStay { expectError(.containerRemoved) { try notes.append(.salt) } }
    }

    @Test func folderOfAnItemIsNotMadeInAKeptContainer() throws {
        let parts = try boxes(waitingFor: ".parts.lock").child(.parts, of: 1)
        try parts.append(Box(id: 5, folderName: "Part"))
        if sandbox.exists("One/Part") { try sandbox.remove("One/Part") }
        try expectThatKeptFilesStay {
            expectError(.containerRemoved) { try parts.child(.notes, of: 5).append(.salt) }
        }
    }

    @Test(arguments: [ConflictSide.index, .journal])
    func conflictInAKeptContainerIsNotEnded(_ side: ConflictSide) throws {
        let notes = try boxes(waitingFor: ".notes.lock").child(.notes, of: 1)
        try notes.append(.milk)
        try sandbox.write(#"[{"id":9,"title":"Tea"}]"#, to: "One/notes.json")
        expectError(.indexConflict) { try notes.load() }
        try expectThatKeptFilesStay {
            expectError(.containerRemoved) { try notes.resolveConflict(keeping: side) }
        }
    }

    /// A load recovers what a dead process has left.
    @Test func changeInAKeptContainerIsNotRecovered() throws {
        let boxes = try boxes(waitingFor: ".photos.lock")
        let dead = try Directory<Box>(
            at: sandbox.url, index: "boxes.json",
            on: ProcessFileSystem(LocalFileSystem()) { _, call in
                call.hasPrefix("rename ") && call.contains("/One/photos/") ? .killed : .works
            })
        #expect(throws: (any Error).self) {
            try dead.child(.photos, of: 1).insert(Data("another".utf8))
        }
        try #require(sandbox.exists("One/.staging"))
        try sandbox.buryOwners()
        let photos = try boxes.child(.photos, of: 1)
        // A load need not wait for the lock, so it may succeed.
        try expectThatKeptFilesStay { try? photos.load() }
    }
}
