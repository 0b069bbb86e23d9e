import DirectoryTestSupport
import FileSystem
import Foundation
import Synchronization
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Recovery of removals and renames of containers.
@Suite(.timeLimit(.minutes(30))) struct FolderRecoveryTests {
    let sandbox: Sandbox
    let leftovers: CrashLeftovers

    init() throws {
        sandbox = try Sandbox()
        leftovers = try CrashLeftovers(of: "boxes.json", sandbox)
        let boxes = try sandbox.boxes()
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.child(.notes, of: 1).append(.eggs)
    }

    /// Renames the item in the index, but not its folder.
    private func commitName(_ name: String) throws {
        try sandbox.write(#"[{"folderName":"\#(name)","id":1}]"#, to: "boxes.json")
    }

    /// Opens the collection, and expects the item with its note and no leftovers; the folder `other` is not its own.
    private func expectWhole(
        _ name: String, besides other: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let boxes = try sandbox.boxes()
        try boxes.checkpoint()
        #expect(Array(boxes.items) == [Box(id: 1, folderName: name)], sourceLocation: location)
        #expect(try boxes.notes(of: 1) == [.eggs], sourceLocation: location)
        #expect(try sandbox.leftovers().isEmpty, sourceLocation: location)
        #expect(
            try boxes.verify().compactMap { $0.path.split(separator: "/").last.map(String.init) }
                == [other].compactMap(\.self), sourceLocation: location)
        #expect(
            try sandbox.paths().filter { $0.hasSuffix("notes.json") }.count
                == (other == nil ? 1 : 2), sourceLocation: location)
    }

    private func beginRemoval() throws {
        let line = #"{"folderName":"One","id":1}"#
        try leftovers.write(Intent(folders: [.init(item: line, from: "One")]))
        try sandbox.move("One", to: "\(leftovers.staging)/folder-1")
    }

    /// A power loss can undo the removal of some files only.
    @Test func halfDeletedFolderIsNotRead() throws {
        let removed = "\(leftovers.staging)/removed-1"
        try sandbox.makeFolder(leftovers.staging)
        try sandbox.move("One", to: removed)
        let inner = try CrashLeftovers(of: "notes.json", in: removed, sandbox)
        try inner.prepareParticipant(of: "../Two", index: "notes.json")
        try sandbox.remove("\(removed)/notes.json")
        try sandbox.write("a journal of no index", to: "\(removed)/.notes.journal")
        try sandbox.write("[]", to: "boxes.json")
        let boxes = try sandbox.boxes()
        try boxes.checkpoint()
        #expect(try Set(sandbox.tree().keys) == ["boxes.json", ".boxes.lock"])
    }

    @Test func folderInTheTrashWithoutAnItemIsRemoved() throws {
        try sandbox.write("mine", to: "\(leftovers.trash)/Old/deep/file")
        try sandbox.write("mine", to: ".trash/other~\(UUID())/file")
        try sandbox.write("mine", to: ".trash/mine")
        let boxes = try sandbox.boxes()
        try boxes.checkpoint()
        #expect(!sandbox.exists(leftovers.trash))
        #expect(try sandbox.tree(".trash").count == 3)
        #expect(try boxes.notes(of: 1) == [.eggs])
    }

    @Test func removedFolderDoesNotReplaceTheFolderOfAnItem() throws {
        try beginRemoval()
        try sandbox.write(#"[{"id":9,"title":"Other"}]"#, to: "One/notes.json")
        do {
            let boxes = try sandbox.boxes()
            try boxes.checkpoint()
            #expect(Array(boxes.items) == [Box(id: 1, folderName: "One")])
            #expect(try boxes.notes(of: 1).map(\.title) == ["Other"])
            let findings = try boxes.verify()
            #expect(findings.map(\.kind) == [.leftoverTransaction])
            #expect(findings.allSatisfy { $0.path.contains("/.staging/") })
        }
        try sandbox.move("One", to: "Else")
        try expectWhole("One", besides: "Else")
    }

    /// The first removal leaves its folder, and the second removal does not commit.
    @Test func olderRemovedFolderIsNotRestored() throws {
        for _ in 0..<10 {
            let disk = MemoryFileSystem()
            let isDying = Atomic(false)
            let process = ProcessFileSystem(disk) { _, call in
                if call.hasPrefix("remove /store/.staging/"), call.contains("/removed-") {
                    return .fails(.accessDenied)
                }
                let isCommit = call.hasPrefix("rename") && call.hasSuffix("to /store/boxes.json")
                return isDying.load(ordering: .relaxed) && isCommit ? .killed : .works
            }
            func open(on process: ProcessFileSystem) throws -> Directory<Box> {
                try Directory(at: URL(filePath: "/store"), index: "boxes.json", on: process)
            }
            let boxes = try open(on: process)
            for (id, note) in [(1, Note.eggs), (2, .milk)] {
                try boxes.append(Box(id: id, folderName: "One"))
                try boxes.child(.notes, of: id).append(note)
                isDying.store(id == 2, ordering: .relaxed)
                try? boxes.remove(id: id)
            }
            withExtendedLifetime(boxes) { process.kill() }
            let next = ProcessFileSystem(disk)
            let recovered = try open(on: next)
            try recovered.load()
            try recovered.checkpoint()
            #expect(recovered.items.map(\.id) == [2])
            #expect(try recovered.notes(of: 2) == [.milk])
            withExtendedLifetime(recovered) { next.kill() }
        }
    }

    /// One that changes only its case is parked.
    @Test(arguments: [("Two", false), ("Two", true), ("one", true)], [true, false])
    func renameEndsWithTheNameInTheIndex(_ rename: (to: String, hasMoved: Bool), committed: Bool)
        throws
    {
        let isParked = rename.to == "one"
        try leftovers.write(
            .rename("One", to: FileName(validating: rename.to), isParked: isParked))
        if rename.hasMoved {
            try sandbox.move("One", to: isParked ? "\(leftovers.staging)/folder-1" : rename.to)
        }
        if committed { try commitName(rename.to) }
        try expectWhole(committed ? rename.to : "One")
    }

    @Test(arguments: [true, false])
    func folderMovesBackAlsoIfAnotherProgramLocksTheOneAbove(_ isRemoval: Bool) throws {
        if isRemoval {
            try beginRemoval()
        } else {
            try leftovers.write(.rename("One", to: "Two"))
            try sandbox.move("One", to: "Two")
        }
        let files = LocalFileSystem()
        let above = try files.openFolder(at: sandbox.url.path)
        #expect(try files.tryLock(above))
        try expectWhole("One")
        withExtendedLifetime(above) {}
    }

    @Test func rollbackOfARenameKeepsAFolderOfAnotherProgram() throws {
        try leftovers.write(.rename("One", to: "Two"))
        try sandbox.write("mine", to: "Two/mine.txt")
        let boxes = try sandbox.boxes()
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(try sandbox.text("Two/mine.txt") == "mine")
        #expect(try boxes.verify().map(\.kind) == [.unknownFolder])
    }

    @Test func severalTransactionsAreAllReconciled() throws {
        for number in 0..<5 {
            let leftovers = try CrashLeftovers(of: "boxes.json", sandbox)
            try sandbox.write("x", to: "\(leftovers.trash)/gone\(number)/file")
        }
        try expectWhole("One")
    }
}
