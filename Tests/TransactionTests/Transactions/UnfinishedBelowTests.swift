import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// What crashes leave, as a verification of a whole tree finds it, which recovers nothing.
struct UnfinishedBelowTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Expects these findings, and that the verification changes nothing.
    private func expect(
        _ expected: [String], in sandbox: Sandbox? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let sandbox = sandbox ?? self.sandbox
        let before = try sandbox.tree()
        let findings = try Directory.verify(below: sandbox.url)
        #expect(try sandbox.tree() == before, sourceLocation: location)
        let root = sandbox.url.path(percentEncoded: false)
        #expect(
            findings.map { "\($0.kind.rawValue) \($0.path.dropFirst(root.count))" } == expected,
            "\(findings)", sourceLocation: location)
    }

    @Test(arguments: Sweep.cases(GoldenStore.allCases, sample: 4)) func goldenStore(
        _ golden: GoldenStore
    ) throws {
        try FileManager.default.copyItem(at: golden.url, to: sandbox.url("store"))
        let paths = try sandbox.paths()
        for path in paths where path.hasSuffix(".lock") {
            // The number of the process that made it may be one of a process by now.
            let lines = try sandbox.text(path).split(separator: "\n")
            try sandbox.write("\(lines[0])\nprocess 2147483647 (ended)\n", to: path)
        }
        let files = paths.filter { $0.hasSuffix(".tmp") }
        let transactions = Set(
            paths.filter { $0.hasSuffix("/intent") }
                .map { $0[..<($0.lastIndex(of: "/") ?? $0.endIndex)] })
        let parts = try paths.filter { path in
            guard path.hasSuffix(".journal") else { return false }
            let bytes = Array(try Data(contentsOf: sandbox.url(path)))
            return (try? Journal(bytes)).flatMap { RecordedChanges($0.records).joint } != nil
        }
        let trash = paths.filter { $0.split(separator: "/").dropLast().last == ".trash" }
        let expected =
            files.map { "leftoverFile \($0)" } + trash.map { "leftoverTrash \($0)" }
            + (transactions.map(String.init) + parts).map { "leftoverTransaction \($0)" }
        try expect(expected.sorted { $0.split(separator: " ")[1] < $1.split(separator: " ")[1] })
        #expect(
            expected.isEmpty
                == [.small, .journal, .marked, .projects, .torn, .removed].contains(golden)
                || golden == .checkpointReplaced)
    }

    @Test func goldenStoreOfALivingProcessHasNoFindings() throws {
        try GoldenStore.changeBegun.copy(to: sandbox.url("store"))
        // The parent of the tests lives.
        for path in try sandbox.paths() where path.hasSuffix(".lock") {
            let lines = try sandbox.text(path).split(separator: "\n")
            try sandbox.write("\(lines[0])\nprocess \(getppid()) (living)\n", to: path)
        }
        try expect([])
        let staging = try #require(try sandbox.paths().first { $0.hasSuffix("/intent") })
            .dropLast("/intent".count)
        try sandbox.setAge(25 * 60 * 60, of: String(staging))
        try expect(["leftoverTransaction \(staging)"])
    }

    @Test(arguments: Sweep.cases(TransferRecoveryTests.Step.allCases, sample: 1))
    func interruptedTransfer(_ step: TransferRecoveryTests.Step) throws {
        let test = try TransferRecoveryTests()
        try test.transfer(until: step)
        let findings = try Directory.verify(below: test.sandbox.url)
        #expect(
            findings.map(\.kind) == (step == .removed ? [] : [.leftoverTransaction])
                + [.leftoverTransaction])
        #expect(
            findings.allSatisfy {
                $0.message.hasPrefix("a change of several collections is not finished")
            })
    }

    @Test func changeThatThisProcessMakesIsNoFinding() throws {
        let interruption = Interruption()
        let process = interruption.process(beforeCall: "create", ".tmp")
        let boxes = try Directory<Box>(
            at: sandbox.url("a"), index: "boxes.json", on: process)
        try boxes.append(Box(id: 1, folderName: "One"))
        interruption.set { [self] in
            #expect(try sandbox.leftovers().contains { $0.hasSuffix("/intent") })
            try expect([])
        }
        try boxes.update(Box(id: 1, folderName: "Uno"))
        #expect(interruption.hasRun)
    }

    @Test func transferThatThisProcessMakesIsNoFinding() throws {
        let interruption = Interruption()
        let process = interruption.process(beforeCall: "write", "to/.boxes.journal committed")
        let (from, to) = try (
            Directory<Box>(at: sandbox.url("from"), index: "boxes.json", on: process),
            Directory<Box>(at: sandbox.url("to"), index: "boxes.json", on: process)
        )
        try from.append(Box(id: 1, folderName: "One"))
        interruption.set { [self] in
            for path in ["from", "to"] {
                #expect(try CrashLeftovers(of: "boxes.json", in: path, sandbox).isInJointWrite)
            }
            try expect([])
        }
        try from.transfer([1], to: to)
        #expect(interruption.hasRun)
    }

    /// A write to several collections has its part in the same journal as the write before it.
    @Test func writesOneAfterTheOtherAreNoFinding() throws {
        @Sendable func prepare() throws {
            try? FileManager.default.removeItem(at: sandbox.url("a"))
            try CrashLeftovers(of: "boxes.json", in: "a", sandbox)
                .prepareHome(with: "../b", index: "boxes.json")
        }
        try prepare()
        let interruption = Interruption()
        let verifier = interruption.process(beforeCall: "open", "/a")
        // The second time that the folder is opened, the write is another one than in the first look.
        interruption.set { interruption.set { try prepare() } }
        #expect(try Directory.verify(below: sandbox.url, on: verifier) == [])
        #expect(interruption.hasRun)
        try expect(["leftoverTransaction a/.boxes.journal"])
    }

    @Test func changeOfAnotherMachine() throws {
        let change = try CrashLeftovers(of: "boxes.json", in: "a", sandbox)
        var intent = Intent.rename("One", to: "Two")
        intent.machine = "aaaaaaaa"
        try change.write(intent)
        try expect(["leftoverTransaction \(change.staging)"])
        #expect(
            try Directory.verify(below: sandbox.url).first?.message.contains("aaaaaaaa") == true)
    }

    /// A power loss can keep the file that names the process from the disk.
    @Test func removedFoldersOfNoProcess() throws {
        let change = try CrashLeftovers(of: "boxes.json", in: "a", sandbox)
        try sandbox.write("12345", to: "\(change.trash)/.kept/.hidden/deep/file")
        try expect(["leftoverTrash \(change.trash)"])
        #expect(
            try Directory.verify(below: sandbox.url).first?.message.contains(" 5 bytes") == true)
    }

    @Test func removedFoldersThatAreNotDeleted() throws {
        let change = try CrashLeftovers(of: "boxes.json", in: "a", sandbox)
        try sandbox.write("12345", to: "\(change.staging)/removed-1/deep/file")
        try expect(["leftoverTrash \(change.staging)"])
        #expect(
            try Directory.verify(below: sandbox.url).first?.message.contains(" 5 bytes") == true)
    }

    @Test func stagesOfDeadAndUnknownProcesses() throws {
        let dead = try CrashLeftovers(of: "photos.json", in: "a/b", sandbox)
        try sandbox.write("12345", to: "\(dead.staging)/1")
        try expect(["leftoverStage \(dead.staging)"])
        #expect(
            try Directory.verify(below: sandbox.url).first?.message.contains(" 5 bytes") == true)
        let stage = try sandbox.photos("c").makeStage()
        try stage.write(Data([1, 2, 3]))
        try expect(["leftoverStage \(dead.staging)"])
    }

    @Test func whatAnUndoCanBringBackIsNoFindingWhileTheProcessLives() throws {
        let boxes = try sandbox.boxes(options: DirectoryOptions(undoLimit: 3))
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.child(.notes, of: 1).append(.eggs)
        try boxes.remove(id: 1)
        try boxes.checkpoint()
        #expect(try !sandbox.leftovers().isEmpty)
        try expect([])
        try sandbox.buryOwners()
        let kept = try #require(
            try sandbox.paths().first { $0.hasPrefix(".trash/boxes~") })
        try expect(["leftoverTrash \(kept)"])
    }
}
