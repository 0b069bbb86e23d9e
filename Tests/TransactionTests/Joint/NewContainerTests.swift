import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// A new container that comes with its collections, which are made where nobody sees them.
@Suite(.timeLimit(.minutes(30))) struct NewContainerTests {
    /// A container in the collection that a new container comes with is marked nowhere.
    @Test func whatANewContainerHoldsIsInACopyOfIt() throws {
        let store = try JointStore()
        let boxes = try store.boxes()
        try boxes.write { draft in
            try draft.append(Box(id: 9, folderName: "Nine"))
            try draft.write(.notes, of: 9) { try $0.append(.salt) }
            try draft.write(.parts, of: 9) { try $0.append(Box(id: 4, folderName: "Empty")) }
        }
        #expect(try store.sandbox.tree().keys.filter { $0.hasSuffix(".new") } == [])
        try boxes.copy(to: store.sandbox.url("copy"))
        #expect(store.sandbox.exists("copy/Nine/Empty"))
    }

    /// A sync fails, alone or with all later ones of the write; then the disk works again.
    @Test(arguments: [false, true])
    func aFailedSyncBeforeTheCommitChangesNothing(_ allFail: Bool) throws {
        var count = 0
        while true {
            let store = try JointStore()
            let before = try store.contents()
            let disk = FailingSyncs(from: count, to: allFail ? .max : count)
            let boxes = try store.boxes(on: disk.process)
            let stage = try boxes.makeStage()
            for text in ["new", "other"] { try stage.write(Data(text.utf8), name: "\(text).jpg") }
            disk.begin()
            let insert = {
                try boxes.write(importing: stage) { try JointScenario.newInNew.change(&$0, $1) }
            }
            let error = #expect(throws: DirectoryError.self) { try insert() }
            disk.end()
            if error?.code == .inDoubt { break }
            let failed: Comment = "sync \(count): \(disk.first)"
            #expect(error?.code == .ioFailure, failed)
            #expect(try store.contents() == before, failed)
            let isOfPhoto = disk.first.contains("/.staging/photos~")
            if isOfPhoto {
                expectError(.stageClosed) { try insert() }
            } else if !allFail {
                // If the intent cannot be taken back durably, the files in the stage are left to recovery.
                #expect(throws: Never.self, failed) { try insert() }
            }
            try boxes.close()
            try store.expectClean(failed)
            count += TestSize.choose(sample: 8, gate: 1, full: 1)
        }
        // There is a sync for each of two photographs, four indexes and five folders, and for the intent.
        #expect(count > 14)
    }

    @Test func itIsTakenBackAndMadeAgain() throws {
        let store = try JointStore()
        let before = try store.contents()
        var options = DirectoryOptions()
        options.undoLimit = 1
        let boxes = try Directory<Box>(at: store.sandbox.url, index: "boxes.json", options: options)
        try JointScenario.newInNew.run(boxes)
        let after = try store.contents()
        for _ in 1...2 {
            try boxes.undo()
            #expect(try store.contents() == before)
            try boxes.redo()
            #expect(try store.contents() == after)
        }
        try boxes.close()
        try store.expectClean("taken back")
    }
}

/// A disk on which some syncs fail.
private final class FailingSyncs: Sendable {
    private struct State {
        var isOn = false
        var count = 0
        var first = ""
    }

    private let state = Mutex(State())
    private let numbers: ClosedRange<Int>

    init(from first: Int, to last: Int) { numbers = first...last }

    func begin() { state.withLock { $0.isOn = true } }
    func end() { state.withLock { $0.isOn = false } }

    /// The first call that failed.
    var first: String { state.withLock { $0.first } }

    var process: ProcessFileSystem {
        ProcessFileSystem(LocalFileSystem()) { [self] _, line in
            state.withLock { state in
                guard state.isOn, line.hasPrefix("sync") else { return .works }
                defer { state.count += 1 }
                guard numbers.contains(state.count) else { return .works }
                if state.first.isEmpty { state.first = line }
                return .fails(.ioError)
            }
        }
    }
}
