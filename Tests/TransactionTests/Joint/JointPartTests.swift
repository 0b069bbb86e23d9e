import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// What the parts of a write to several collections say at each moment, and parts that say nothing.
@Suite(.timeLimit(.minutes(30))) struct JointPartTests {
    /// A later version may write other members.
    @Test func aPartThatIsNotKnownBlocksChangesUntilItIsSetAside() throws {
        let sandbox = try Sandbox()
        let boxes = try sandbox.twoBoxes()
        try boxes.close()
        let part = try CrashLeftovers(of: "boxes.json", sandbox)
        try part.prepare(#"{"machine":"\#(Machine.current)","later":[1]}"#)
        let again = try Directory<Box>(at: sandbox.url, index: "boxes.json")
        try again.load()
        #expect(again.count == 2)
        let copies = try Sandbox()
        try again.copy(to: copies.url("one"))
        #expect(try copies.text("one/.boxes.journal").contains("later"))
        expectError(.unfinishedChange) { try again.append(Box(id: 3, folderName: "Three")) }
        #expect(try again.verify().map(\.kind) == [.leftoverTransaction])
        _ = try again.repair()
        try again.append(Box(id: 3, folderName: "Three"))
        #expect(try again.verify().isEmpty)
    }

    /// Only a later version can have written it.
    @Test(arguments: [
        #"{"from":{"participant":0},"to":{"participant":5},"names":["One"]}"#,
        #"{"from":{"participant":0},"to":{"participant":0,"staged":[]},"#
            + #""names":["One","Two"],"newNames":["old-1"]}"#,
    ])
    func aPartWhoseMovesDoNotFitBlocksChanges(_ move: String) throws {
        let sandbox = try Sandbox()
        let boxes = try sandbox.twoBoxes()
        try boxes.close()
        try CrashLeftovers(of: "boxes.json", sandbox).prepare(
            #"{"participants":[{"paths":[""],"index":"boxes.json","folder":"1 1"}],"#
                + #""moves":[\#(move)],"machine":"\#(Machine.current)"}"#)
        let again = try Directory<Box>(at: sandbox.url, index: "boxes.json")
        expectError(.unfinishedChange) { try again.append(Box(id: 3, folderName: "Three")) }
        #expect(try again.notes(of: 1) == [.eggs])
        #expect(try again.verify().map(\.kind) == [.leftoverTransaction])
        _ = try again.repair()
        try again.append(Box(id: 3, folderName: "Three"))
        #expect(try again.notes(of: 2) == [.milk])
    }

    /// Another version has left its part in the folder of an item.
    @Test func aFolderWithAPartThatIsNotKnownDoesNotMove() throws {
        let sandbox = try Sandbox()
        let boxes = try sandbox.twoBoxes()
        let part = try CrashLeftovers(of: "notes.json", in: "One", sandbox)
        try part.prepare(#"{"later":[1]}"#)
        expectError(.unfinishedChange) { try boxes.update(Box(id: 1, folderName: "Three")) }
        expectError(.unfinishedChange) { try boxes.remove(id: 1) }
        #expect(try part.isInJointWrite)
        _ = try boxes.child(.notes, of: 1).repair()
        try boxes.update(Box(id: 1, folderName: "Three"))
        #expect(try boxes.notes(of: 1) == [.eggs])
    }

    /// Two collections of one folder, of which only one is opened after a kill.
    @Test func nothingIsLeftBesideTheHomeInItsOwnFolder() throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: 1_000, step: 36) {
            let sandbox = try Sandbox()
            func open(_ name: String, on process: ProcessFileSystem) throws -> Directory<Piece> {
                try Directory(at: sandbox.url, index: "\(name).json", on: process)
            }
            let whole = ProcessFileSystem(LocalFileSystem())
            let source = try sandbox.write("file", to: "in/file")
            try open("one", on: whole).insert(copying: [source]) { _ in
                Piece(id: 1, fileName: "a")
            }
            try open("two", on: whole).append(contentsOf: [])
            let process = ProcessFileSystem(LocalFileSystem()) { $0 >= call ? .killed : .works }
            _ = Result {
                try open("one", on: process).transfer([1], to: open("two", on: process))
            }
            let isDead = process.isDead
            let name = Bool.random() ? "one" : "two"
            let again = try open(name, on: ProcessFileSystem(LocalFileSystem()))
            try again.write { _ in }
            let other = try open(
                name == "one" ? "two" : "one", on: ProcessFileSystem(LocalFileSystem()))
            try other.write { _ in }
            let pieces = Array(again.items) + Array(other.items)
            #expect(pieces.map(\.id) == [1], "call \(call), \(sweep)")
            try sandbox.remove("in")
            #expect(
                try Directory<Never>.verify(below: sandbox.url).isEmpty, "call \(call), \(sweep)")
            if !isDead { return }
        }
    }

    /// What the write builds on may not be durable, and neither is any of its parts, until the home has decided it.
    @Test(arguments: PowerLoss.Profile.allCases)
    func aPowerLossAfterRelaxedChangesLeavesAllOrNothing(_ profile: PowerLoss.Profile) throws {
        let random = SeededGenerator()
        let disk = RecordedDisk(MemoryFileSystem().image)
        func boxes(on fileSystem: any FileSystem) throws -> Directory<Box> {
            var options = DirectoryOptions(durability: .relaxed)
            options.journalThreshold = 0
            return try Directory(
                at: URL(filePath: "/store"), index: "boxes.json", options: options,
                on: ProcessFileSystem(fileSystem))
        }
        let first = try boxes(on: disk)
        try first.append(Box(id: 1, folderName: "One"))
        let notes = try first.child(.notes, of: 1)
        try notes.append(.eggs)
        try first.checkpoint()
        try notes.checkpoint()
        let begin = disk.moment
        try notes.append(.milk)
        try first.append(Box(id: 2, folderName: "Two"))
        try first.write { draft in
            try draft.append(Box(id: 3, folderName: "Three"))
            try draft.write(.notes, of: 1) { try $0.append(.salt) }
        }
        disk.acknowledge()
        let loss = PowerLoss(disk, profile)
        let samples = TestSize.choose(sample: 0, gate: 8, full: 64)
        let effort = PowerLoss.Effort.sampled(
            exhaustive: TestSize.choose(sample: 1, gate: 3, full: 6), samples: samples,
            tears: TestSize.choose(sample: 1, gate: 2, full: 8))
        var sweep = Sweep(for: profile)
        let moments =
            sweep.numbers(below: disk.moment - begin, step: 9).map { begin + $0 } + [disk.moment]
        var checked: Set<MemoryFileSystem.Image> = []
        try loss.forEachState(at: moments, effort, seed: random.seed) { state in
            guard checked.insert(state.image).inserted else { return }
            let comment: Comment = "\(profile), moment \(state.moment), \(random)"
            let isMade = loss.acknowledgements(at: state.moment) > 0
            let again = try boxes(on: MemoryFileSystem(state.image))
            try again.write { _ in }
            let notes = try again.child(.notes, of: 1)
            try notes.write { _ in }
            let isThere = again[id: 3] != nil
            #expect(isThere == (notes[id: Note.salt.id] != nil), comment)
            #expect(isThere || !isMade, comment)
            #expect(try again.verify().isEmpty && notes.verify().isEmpty, comment)
        }
        #expect(checked.count > TestSize.choose(sample: 0, gate: 5, full: 5))
    }

    /// Else a power loss could take the decision away after a part was committed.
    @Test func noPartIsCommittedBeforeTheDecisionIsDurable() throws {
        let store = try JointStore()
        let writes = JointScenario.allCases.filter { $0.hasSeveralIndexes && $0 != .takenOver }
        for write in Sweep.cases(writes, sample: 3) {
            let process = ProcessFileSystem(LocalFileSystem())
            let sandbox = try Sandbox()
            try sandbox.copy(store.sandbox.url.path, into: "copy")
            let boxes = try Directory<Box>(
                at: sandbox.url("copy"), index: "boxes.json", on: process)
            try boxes.load()
            let begin = process.log.count
            try write.run(boxes)
            let calls = process.log[begin...]
            let decided = try #require(calls.firstIndex { $0.decidesTree })
            let next = try #require(calls[(decided + 1)...].firstIndex { $0.decidesTree })
            let journal = calls[decided].split(separator: " ")[1]
            #expect(
                calls[decided..<next].contains { $0 == "sync \(journal)" },
                "\(write): \(calls[decided...next])")
        }
    }
}

extension Sandbox {
    fileprivate func copy(_ path: String, into name: String) throws {
        try FileManager.default.copyItem(at: URL(filePath: path), to: url(name))
    }
}
