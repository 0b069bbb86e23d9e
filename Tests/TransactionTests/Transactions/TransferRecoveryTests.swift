import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Recovery of transfers that were interrupted after each of their steps.
@Suite(.timeLimit(.minutes(15))) struct TransferRecoveryTests {
    let sandbox: Sandbox
    let from: CrashLeftovers
    let to: CrashLeftovers

    static let plan = Intent.Transfer(
        target: .init(path: "", index: ""), items: lines, folders: ["One", "Two"], files: [])
    static let lines = [#"{"folderName":"One","id":1}"#, #"{"folderName":"Two","id":2}"#]

    init() throws {
        sandbox = try Sandbox()
        let transaction = RandomName.digits()
        from = try CrashLeftovers(of: "boxes.json", in: "a/from", sandbox, transaction: transaction)
        to = try CrashLeftovers(of: "boxes.json", in: "to", sandbox, transaction: transaction)
        try sandbox.write("[\n\(Self.lines.joined(separator: ",\n"))\n]\n", to: "a/from/boxes.json")
        try sandbox.write("[]", to: "a/from/One/notes.json")
        try sandbox.write("text", to: "a/from/Two/file.txt")
        try sandbox.write(#"[{"folderName":"Nine","id":9}]"#, to: "to/boxes.json")
        try sandbox.makeFolder("to/Nine")
    }

    /// The steps of a transfer, in order.
    enum Step: Int, CaseIterable {
        case begun, movedOneFolder, movedFiles, added, removed, endedAtTheSource

        /// Whether the target has the items, so that the transfer has taken place.
        var isAfterCommit: Bool { rawValue >= Step.added.rawValue }
    }

    /// Takes the steps of a transfer up to `last`.
    func transfer(until last: Step) throws {
        let transfer = try Transfer<Box>(
            source: from.lockedIndex(), target: to.lockedIndex(),
            transaction: IndexNames.transaction(of: from.name))
        let slots = try transfer.slots(of: Self.plan)
        try transfer.begin(Self.plan)
        if last.rawValue >= Step.movedOneFolder.rawValue {
            try sandbox.move("a/from/One", to: "to/One")
        }
        if last.rawValue >= Step.movedFiles.rawValue { try transfer.moveFiles(Self.plan) }
        if last.rawValue >= Step.added.rawValue { try transfer.add(slots) }
        if last.rawValue >= Step.removed.rawValue { try transfer.remove(slots) }
        if last == .endedAtTheSource { try sandbox.remove("a/from/.staging") }
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

    /// A power loss can bring a removed folder back into the trash.
    @Test func olderFolderInTheTrashDoesNotReplaceATransferredFolder() throws {
        try transfer(until: .added)
        for _ in 0..<4 {
            let older = try CrashLeftovers(of: "boxes.json", in: "a/from", sandbox)
            try sandbox.write("old", to: "\(older.trash)/One/file.txt")
        }
        try sandbox.boxes("a/from").checkpoint()
        try expectEnded(transferred: true, openingFirst: "a/from")
    }

    @Test(arguments: Step.allCases)
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
        let transfer = try Transfer<Box>(
            source: from.lockedIndex(), target: to.lockedIndex(),
            transaction: IndexNames.transaction(of: from.name))
        try sandbox.move(path, to: "moved")
        try sandbox.makeFolder(path)
        #expect(throws: Busy.self) { try transfer.begin(Self.plan) }
        for folder in ["a/from", "to", "moved"] { #expect(!sandbox.exists("\(folder)/.staging")) }
    }

    @Test(arguments: ["../a/from", "../missing", "../to"])
    func intentOfATargetAloneMeansNothing(_ path: String) throws {
        try to.write(Intent(transferSource: .init(path: path, index: "boxes.json")))
        _ = try sandbox.boxes("to")
        let (source, target) = try (sandbox.boxes("a/from"), sandbox.boxes("to"))
        #expect(source.items.map(\.id) == [1, 2])
        #expect(target.items.map(\.id) == [9])
        #expect(try sandbox.text("a/from/Two/file.txt") == "text")
        #expect(try sandbox.leftovers().isEmpty)
        #expect(try source.verify().isEmpty && target.verify().isEmpty)
    }

    /// The transfer may have stopped because a sync failed.
    @Test func completionWritesBothIndexesAgain() throws {
        try transfer(until: .removed)
        let before = ["a/from", "to"].map { sandbox.status("\($0)/boxes.json")?.identity }
        try expectEnded(transferred: true, openingFirst: "to")
        let after = ["a/from", "to"].map { sandbox.status("\($0)/boxes.json")?.identity }
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
        let lock = try #require(try from.folder.tryLock())
        try withExtendedLifetime(lock) {
            try boxes.load()
            #expect(boxes.items.map(\.id) == [9, 1, 2])
            expectError(.locked) { try boxes.append(Box(id: 10, folderName: "Ten")) }
        }
    }

    /// After a power loss, a moved file can have its old name and its new name.
    @Test(arguments: [false, true], [false, true])
    func interruptedTransferLeavesAssetsWithTheirItems(_ isInBoth: Bool, _ isAdded: Bool) throws {
        let transaction = RandomName.digits()
        let source = try CrashLeftovers(
            of: "pieces.json", in: "x", sandbox, transaction: transaction)
        let target = try CrashLeftovers(
            of: "pieces.json", in: "y", sandbox, transaction: transaction)
        let line = #"{"fileName":"a","id":1,"title":""}"#
        try sandbox.write("[\(line)]", to: "x/pieces.json")
        try sandbox.write("a", to: "x/pieces/a")
        if isInBoth { try sandbox.makeHardLink("y/pieces/a", to: "x/pieces/a") }
        let plan = Intent.Transfer(
            target: .init(path: "", index: ""), items: [line], folders: [], files: ["a"])
        do {
            let transfer = try Transfer<Piece>(
                source: source.lockedIndex(), target: target.lockedIndex(),
                transaction: transaction)
            try transfer.begin(plan)
            if isAdded { try transfer.add(transfer.slots(of: plan)) }
        }
        let (owner, other) = isAdded ? ("y", "x") : ("x", "y")
        let pieces = try sandbox.pieces(owner)
        #expect(try pieces.data(of: 1) == Data("a".utf8))
        #expect(try sandbox.pieces(other).isEmpty)
        #expect(!sandbox.exists("\(other)/pieces/a"))
        #expect(try pieces.verify().isEmpty && sandbox.leftovers().isEmpty)
    }

    /// A rename of a folder above would make the path in an intent invalid, so that of the source
    /// may not come back after a power loss; that of the target alone means nothing.
    @Test func powerLossBringsNoIntentOfACompletedTransferBack() throws {
        let files = MemoryFileSystem()
        func boxes(_ name: String, on files: any FileSystem) throws -> Directory<Box> {
            try Directory<Box>(at: URL(filePath: "/\(name)"), index: "boxes.json", on: files)
        }
        try boxes("from", on: ProcessFileSystem(files)).append(Box(id: 1, folderName: "One"))
        let disk = RecordedDisk(files.image)
        let source = try boxes("from", on: disk)
        try source.transfer([1], to: boxes("to", on: disk))
        let loss = PowerLoss(disk, .posix)
        var haveIntents = 0
        loss.forEachState(at: [disk.events.count], .init(), seed: 1) { state in
            for case .folder(let entries) in state.image.contents.values {
                guard let intent = entries[Intent.fileName],
                    case .file(let bytes)? = state.image.contents[intent]
                else { continue }
                if Intent(bytes)?.transfer != nil { haveIntents += 1 }
            }
        }
        #expect(haveIntents == 0)
    }

    /// The intents are removed durably, so both indexes must be durable before.
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
