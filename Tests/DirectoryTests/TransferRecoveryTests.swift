import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Directory

/// Transfers that a crash interrupted at each of their steps.
@Suite(.timeLimit(.minutes(15))) struct TransferRecoveryTests {
    let sandbox: Sandbox
    let from: Remains
    let to: Remains

    static let plan = Intent.Transfer(
        isSource: true, peerPath: "", peerIndex: "", items: lines, folders: ["One", "Two"],
        files: [])
    static let lines = [#"{"folderName":"One","id":1}"#, #"{"folderName":"Two","id":2}"#]

    init() throws {
        sandbox = try Sandbox()
        let transaction = RandomName.digits()
        from = try Remains(of: "boxes.json", in: "a/from", sandbox, transaction: transaction)
        to = try Remains(of: "boxes.json", in: "to", sandbox, transaction: transaction)
        try sandbox.write("[\n\(Self.lines.joined(separator: ",\n"))\n]\n", to: "a/from/boxes.json")
        try sandbox.write("[]", to: "a/from/One/notes.json")
        try sandbox.write("text", to: "a/from/Two/file.txt")
        try sandbox.write(#"[{"folderName":"Nine","id":9}]"#, to: "to/boxes.json")
        try sandbox.makeFolder("to/Nine")
    }

    /// The steps of a transfer, in order; a transfer can die after each of them.
    enum Step: Int, CaseIterable {
        case begun, movedOneFolder, movedFiles, added, removed, endedAtTheSource
    }

    private func transfer(until last: Step) throws {
        let transfer = try Transfer<Box>(
            source: from.lockedIndex(), target: to.lockedIndex(),
            transaction: IndexNames.transaction(of: from.name), durability: .durable)
        try transfer.begin(Self.plan)
        if last.rawValue >= Step.movedOneFolder.rawValue {
            try sandbox.move("a/from/One", to: "to/One")
        }
        if last.rawValue >= Step.movedFiles.rawValue { try transfer.moveFiles(Self.plan) }
        if last.rawValue >= Step.added.rawValue { try transfer.add(Self.plan) }
        if last.rawValue >= Step.removed.rawValue { try transfer.remove(Self.plan) }
        if last == .endedAtTheSource { try sandbox.remove("a/from/.staging") }
    }

    private func expectTransferred(
        openingFirst first: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        _ = try sandbox.boxes(first)
        let (source, target) = try (sandbox.boxes("a/from"), sandbox.boxes("to"))
        #expect(source.isEmpty, sourceLocation: location)
        #expect(target.items.map(\.id) == [9, 1, 2], sourceLocation: location)
        #expect(try sandbox.text("to/Two/file.txt") == "text", sourceLocation: location)
        #expect(sandbox.exists("to/One/notes.json"), sourceLocation: location)
        #expect(try sandbox.leftovers().isEmpty, sourceLocation: location)
        #expect(try source.verify().isEmpty && target.verify().isEmpty, sourceLocation: location)
        #expect(
            try Set(sandbox.tree("a/from").keys) == ["boxes.json", ".boxes.lock"],
            sourceLocation: location)
    }

    @Test(arguments: Step.allCases, ["a/from", "to"])
    func transferThatBeganIsCompletedByWhoeverOpensEitherSide(_ step: Step, first: String) throws {
        try transfer(until: step)
        try expectTransferred(openingFirst: first)
    }

    /// An older removal whose bytes a power loss brought back does not stand in for a folder that
    /// the transfer took.
    @Test func whatATransferTookDoesNotComeFromTheTrash() throws {
        try transfer(until: .movedFiles)
        for _ in 0..<4 {
            let older = try Remains(of: "boxes.json", in: "a/from", sandbox)
            try sandbox.write("old", to: "\(older.trash)/One/file.txt")
        }
        try sandbox.boxes("a/from").checkpoint()
        try expectTransferred(openingFirst: "a/from")
    }

    @Test(arguments: Step.allCases) func transferOfAWholeTreeThatWasMovedMeanwhile(_ step: Step)
        throws
    {
        try transfer(until: step)
        try sandbox.makeFolder("elsewhere")
        for path in ["a", "to"] { try sandbox.move(path, to: "elsewhere/\(path)") }
        _ = try sandbox.boxes("elsewhere/to")
        let source = try sandbox.boxes("elsewhere/a/from")
        #expect(source.isEmpty)
        #expect(try sandbox.text("elsewhere/to/Two/file.txt") == "text")
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test(arguments: [true, false]) func transferWithOneIntentDidNotBegin(_ atSource: Bool) throws {
        var half = Self.plan
        half.isSource = atSource
        (half.peerPath, half.peerIndex) = (atSource ? "../../to" : "../a/from", "boxes.json")
        try (atSource ? from : to).write(Intent(transfer: half))
        _ = try sandbox.boxes(atSource ? "a/from" : "to")
        let (source, target) = try (sandbox.boxes("a/from"), sandbox.boxes("to"))
        #expect(source.items.map(\.id) == [1, 2])
        #expect(target.items.map(\.id) == [9])
        #expect(try sandbox.text("a/from/Two/file.txt") == "text")
        #expect(try sandbox.leftovers().isEmpty)
        #expect(try source.verify().isEmpty && target.verify().isEmpty)
    }

    /// A sync may have failed, which is why the transfer was not finished.
    @Test func whatMayNotBeOnStableStorageIsWrittenAnew() throws {
        try transfer(until: .removed)
        let before = ["a/from", "to"].map { sandbox.status("\($0)/boxes.json")?.identity }
        try expectTransferred(openingFirst: "to")
        let after = ["a/from", "to"].map { sandbox.status("\($0)/boxes.json")?.identity }
        #expect(before[0] != after[0] && before[1] != after[1])
    }

    @Test func transferIsCompletedBeforeAChange() throws {
        let target = try sandbox.boxes("to")
        try transfer(until: .movedFiles)
        try target.append(Box(id: 10, folderName: "Ten"))
        #expect(target.items.map(\.id) == [9, 1, 2, 10])
        #expect(try sandbox.boxes("a/from").isEmpty)
    }

    @Test func whileTheOtherSideIsLockedALoadGoesOnAndAChangeWaits() throws {
        try transfer(until: .movedFiles)
        var options = DirectoryOptions()
        options.lockTimeout = .milliseconds(50)
        let boxes = try Directory<Box>(
            at: sandbox.url("to"), index: "boxes.json", options: options)
        let lock = try #require(try from.folder.tryLock())
        try withExtendedLifetime(lock) {
            try boxes.load()
            #expect(boxes.items.map(\.id) == [9])
            expectError(.locked) { try boxes.append(Box(id: 10, folderName: "Ten")) }
        }
    }

    /// A power loss can leave the new name of a file and the old one too.
    @Test(arguments: [false, true]) func assetsOfATransferArriveToo(_ isInBoth: Bool) throws {
        let transaction = RandomName.digits()
        let source = try Remains(of: "pieces.json", in: "x", sandbox, transaction: transaction)
        let target = try Remains(of: "pieces.json", in: "y", sandbox, transaction: transaction)
        let line = #"{"fileName":"a","id":1,"title":""}"#
        try sandbox.write("[\(line)]", to: "x/pieces.json")
        try sandbox.write("a", to: "x/pieces/a")
        if isInBoth { try sandbox.link("x/pieces/a", to: "y/pieces/a") }
        let plan = Intent.Transfer(
            isSource: true, peerPath: "", peerIndex: "", items: [line], folders: [], files: ["a"])
        do {
            let transfer = try Transfer<Piece>(
                source: source.lockedIndex(), target: target.lockedIndex(),
                transaction: transaction,
                durability: .durable)
            try transfer.begin(plan)
        }
        let pieces = try sandbox.pieces("y")
        #expect(try pieces.data(of: 1) == Data("a".utf8))
        #expect(try sandbox.pieces("x").isEmpty)
        #expect(try pieces.verify().isEmpty && sandbox.leftovers().isEmpty)
    }

    /// One that came back could not find the other any more after a rename of a folder above.
    @Test func intentsOfATransferThatIsDoneNeverComeBack() throws {
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
            let names = state.image.contents.values.flatMap { content -> [FileName] in
                if case .folder(let entries) = content {
                    Array(entries.keys)
                } else {
                    [] as [FileName]
                }
            }
            if names.contains(Intent.fileName) { haveIntents += 1 }
        }
        #expect(haveIntents == 0)
    }
}
