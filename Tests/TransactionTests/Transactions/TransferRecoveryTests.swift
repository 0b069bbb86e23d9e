import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Recovery of transfers that were interrupted after each of their steps.
@Suite(.timeLimit(.minutes(30))) struct TransferRecoveryTests {
    let sandbox: Sandbox
    static let lines = [#"{"folderName":"One","id":1}"#, #"{"folderName":"Two","id":2}"#]

    init() throws {
        sandbox = try Sandbox()
        try sandbox.write("[\n\(Self.lines.joined(separator: ",\n"))\n]\n", to: "a/from/boxes.json")
        try sandbox.write("[]", to: "a/from/One/notes.json")
        try sandbox.write("text", to: "a/from/Two/file.txt")
        try sandbox.write(#"[{"folderName":"Nine","id":9}]"#, to: "to/boxes.json")
        try sandbox.makeFolder("to/Nine")
    }

    /// The steps of a transfer, in order.
    enum Step: Int, CaseIterable {
        case begun, movedOneFolder, movedFiles, added, removed

        /// Whether the target, which is the home, says that the transfer has taken place.
        var isAfterCommit: Bool { rawValue >= Step.added.rawValue }

        /// The call that comes next begins and ends with these.
        var next: (prefix: String, suffix: String) {
            switch self {
            case .begun: ("rename", "to/One")
            case .movedOneFolder: ("rename", "to/Two")
            case .movedFiles: ("write", "to/.boxes.journal committed")
            case .added: ("write", "a/from/.boxes.journal committed")
            case .removed: ("write", "to/.boxes.journal ended")
            }
        }
    }

    /// Transfers both items, and kills the process after `last`.
    func transfer(until last: Step) throws {
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            let (prefix, suffix) = last.next
            return call.hasPrefix(prefix) && call.hasSuffix(suffix) ? .killed : .works
        }
        let sides = try ["a/from", "to"].map {
            try Directory<Box>(at: sandbox.url($0), index: "boxes.json", on: process)
        }
        try? sides[0].transfer([1, 2], to: sides[1])
        #expect(process.isDead)
    }

    /// Whether the source and the target have parts that are not ended.
    func areWaiting() throws -> (source: Bool, target: Bool) {
        func isWaiting(_ paths: String...) throws -> Bool {
            try paths.contains { path in
                try sandbox.exists("\(path)/boxes.json")
                    && CrashLeftovers(of: "boxes.json", in: path, sandbox).isInJointWrite
            }
        }
        return (
            try isWaiting("a/from", "elsewhere/a/from"), try isWaiting("to", "away")
        )
    }

    /// Expects that the items and all that they own are in the target, or still in the source.
    func expectEnded(
        transferred: Bool, openingFirst first: String, in parent: String = "",
        at location: SourceLocation = #_sourceLocation
    ) throws {
        _ = try sandbox.boxes(parent + first)
        let (from, to) = ("\(parent)a/from", "\(parent)to")
        let (source, target) = try (sandbox.boxes(from), sandbox.boxes(to))
        let (owner, other) = transferred ? (to, from) : (from, to)
        #expect(source.items.map(\.id) == (transferred ? [] : [1, 2]), sourceLocation: location)
        #expect(
            target.items.map(\.id) == (transferred ? [9, 1, 2] : [9]), sourceLocation: location)
        #expect(try sandbox.text("\(owner)/Two/file.txt") == "text", sourceLocation: location)
        #expect(sandbox.exists("\(owner)/One/notes.json"), sourceLocation: location)
        #expect(!sandbox.exists("\(other)/One"), sourceLocation: location)
        #expect(!sandbox.exists("\(other)/Two"), sourceLocation: location)
        #expect(try sandbox.leftovers().isEmpty, sourceLocation: location)
        #expect(try source.verify().isEmpty && target.verify().isEmpty, sourceLocation: location)
    }

    @Test(arguments: Sweep.cases(Step.allCases, sample: 1))
    func interruptedTransferIsEndedAfterBothSidesWereMoved(_ step: Step) throws {
        try transfer(until: step)
        try sandbox.makeFolder("elsewhere")
        for path in ["a", "to"] { try sandbox.move(path, to: "elsewhere/\(path)") }
        try expectEnded(
            transferred: step.isAfterCommit, openingFirst: "to", in: "elsewhere/")
    }

    /// The folder may have moved after it was opened and before it was held in place.
    @Test(arguments: ["a/from", "to"])
    func transferWhoseFolderWasReplacedWritesNothing(_ path: String) throws {
        let interruption = Interruption()
        let process = interruption.process(beforeCall: "resolve", path)
        interruption.set { [sandbox] in
            try sandbox.move(path, to: "moved")
            try sandbox.makeFolder(path)
        }
        let sides = try ["a/from", "to"].map {
            try Directory<Box>(at: sandbox.url($0), index: "boxes.json", on: process)
        }
        expectError(.containerRemoved) { try sides[0].transfer([1, 2], to: sides[1]) }
        #expect(interruption.hasRun)
        for folder in ["a/from", "to", "moved"] {
            #expect(try sandbox.exists(folder) && sandbox.leftovers(folder).isEmpty)
        }
    }

    /// The home is there, and has decided nothing.
    @Test(arguments: ["../a/from", "../to"])
    func aParticipantAloneDoesNotCount(_ path: String) throws {
        try CrashLeftovers(of: "boxes.json", in: "to", sandbox)
            .prepareParticipant(of: path, index: "boxes.json")
        _ = try sandbox.boxes("to")
        let (source, target) = try (sandbox.boxes("a/from"), sandbox.boxes("to"))
        #expect(source.items.map(\.id) == [1, 2])
        #expect(target.items.map(\.id) == [9])
        #expect(try sandbox.text("a/from/Two/file.txt") == "text")
        #expect(try sandbox.leftovers().isEmpty)
        #expect(try source.verify().isEmpty && target.verify().isEmpty)
    }

    /// The transfer may have stopped because a sync failed.
    @Test func completionWritesBothJournalsAgain() throws {
        try transfer(until: .removed)
        let before = ["a/from", "to"].map { sandbox.status("\($0)/.boxes.journal")?.identity }
        try expectEnded(transferred: true, openingFirst: "to")
        let after = ["a/from", "to"].map { sandbox.status("\($0)/.boxes.journal")?.identity }
        #expect(before[0] != after[0] && before[1] != after[1])
    }

    @Test func interruptedTransferIsEndedBeforeAChange() throws {
        let target = try sandbox.boxes("to")
        try transfer(until: .added)
        try target.append(Box(id: 10, folderName: "Ten"))
        #expect(target.items.map(\.id) == [9, 1, 2, 10])
        #expect(try sandbox.boxes("a/from").isEmpty)
    }

    @Test func loadDoesNotWaitForTheOtherSideOfATransferButAChangeDoes() throws {
        try transfer(until: .added)
        var options = DirectoryOptions()
        options.lockTimeout = .milliseconds(50)
        let boxes = try Directory<Box>(
            at: sandbox.url("to"), index: "boxes.json", options: options)
        let source = try CrashLeftovers(of: "boxes.json", in: "a/from", sandbox).folder
        let lock = try #require(try source.tryLock())
        try withExtendedLifetime(lock) {
            try boxes.load()
            #expect(boxes.items.map(\.id) == [9, 1, 2])
            expectError(.locked) { try boxes.append(Box(id: 10, folderName: "Ten")) }
        }
    }

    /// After a power loss before the decision, a moved file can have its old name and its new name.
    @Test(arguments: Sweep.cases([(false, false), (true, false), (false, true)], sample: 1))
    func interruptedTransferLeavesAssetsWithTheirItems(_ isInBoth: Bool, _ isAdded: Bool) throws {
        let line = #"{"fileName":"a","id":1,"title":""}"#
        try sandbox.write("[\(line)]", to: "x/pieces.json")
        try sandbox.write("a", to: "x/pieces/a")
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasSuffix(isAdded ? "x/.pieces.journal committed" : " committed")
                ? .killed : .works
        }
        let sides = try ["x", "y"].map {
            try Directory<Piece>(at: sandbox.url($0), index: "pieces.json", on: process)
        }
        #expect(throws: (any Error).self) { try sides[0].transfer([1], to: sides[1]) }
        #expect(sandbox.exists("y/pieces/a"))
        if isInBoth { try sandbox.makeHardLink("x/pieces/a", to: "y/pieces/a") }
        let (owner, other) = isAdded ? ("y", "x") : ("x", "y")
        let pieces = try sandbox.pieces(owner)
        #expect(try pieces.data(of: 1) == Data("a".utf8))
        #expect(try sandbox.pieces(other).isEmpty)
        #expect(!sandbox.exists("\(other)/pieces/a"))
        #expect(try pieces.verify().isEmpty && sandbox.leftovers().isEmpty)
    }

    /// An acknowledged transfer depends on no other collection any more.
    @Test func powerLossMakesNoPartOfACompletedTransferWait() throws {
        let files = MemoryFileSystem()
        func boxes(_ name: String, on files: any FileSystem) throws -> Directory<Box> {
            try Directory<Box>(at: URL(filePath: "/\(name)"), index: "boxes.json", on: files)
        }
        try boxes("from", on: ProcessFileSystem(files)).append(Box(id: 1, folderName: "One"))
        let disk = RecordedDisk(files.image)
        let source = try boxes("from", on: disk)
        try source.transfer([1], to: boxes("to", on: disk))
        let loss = PowerLoss(disk, .posix)
        var waiting = 0
        loss.forEachState(at: [disk.events.count], .init(), seed: 1) { state in
            for case .folder(let entries) in state.image.contents.values {
                guard let file = entries[".boxes.journal"],
                    case .file(let bytes)? = state.image.contents[file],
                    let journal = try? Journal(bytes)
                else { continue }
                if RecordedChanges(journal.records).joint?.isCommitted == false { waiting += 1 }
            }
        }
        #expect(waiting == 0)
    }

    /// The transfer is ended durably, so both indexes must be durable before.
    @Test func powerLossAfterARelaxedTransferLosesNoItem() throws {
        var options = DirectoryOptions(durability: .relaxed)
        options.journalThreshold = 0
        func boxes(_ name: String, on files: any FileSystem) throws -> Directory<Box> {
            try Directory<Box>(
                at: URL(filePath: "/\(name)"), index: "boxes.json", options: options, on: files)
        }
        let files = MemoryFileSystem()
        for name in ["from", "to"] {
            let process = ProcessFileSystem(files)
            let boxes = try boxes(name, on: process)
            // The second commit makes a journal, which a killed process leaves.
            for id in [1, 2] {
                try boxes.append(Box(id: name == "to" ? -id : id, folderName: "\(name) \(id)"))
            }
            process.kill()
        }
        let disk = RecordedDisk(files.image)
        let (source, target) = (try boxes("from", on: disk), try boxes("to", on: disk))
        try source.transfer([1], to: target)
        var states = 0
        try PowerLoss(disk, .posix).forEachState(
            at: [disk.events.count], .init(), seed: 1
        ) { state in
            let image = MemoryFileSystem(state.image)
            let (source, target) = (
                try boxes("from", on: ProcessFileSystem(image)),
                try boxes("to", on: ProcessFileSystem(image))
            )
            try source.load()
            try target.load()
            #expect(source.items.map(\.id) == [2] && target.items.map(\.id) == [-1, -2, 1])
            states += 1
        }
        #expect(states > 1)
        withExtendedLifetime((source, target)) {}
    }
}
