import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

/// What sync engines make in a folder.
struct SyncedFolderTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private static let copies = [
        "boxes.sync-conflict-20261123-101500-ABCDEFG.json",
        "boxes (Anna's conflicted copy 2026-11-23).json", "boxes 2.json", "boxes.json..path1",
        "boxes.conflict1.json",
    ]

    @Test(arguments: Sweep.cases(copies, sample: 1)) func conflictCopyIsAFindingAndNoIndex(
        _ name: String
    ) throws {
        let boxes = try sandbox.twoBoxes()
        try sandbox.write(#"[{"folderName": "Three", "id": 3}]"#, to: name)
        #expect(try boxes.verify().map(\.kind) == [.conflictCopy])
        #expect(try boxes.repair().isEmpty)
        // Beside another index, an empty folder with the name of a new container is not taken.
        try sandbox.makeFolder("Four")
        try boxes.append(Box(id: 4, folderName: "Four"))
        try boxes.copy(to: sandbox.url("copy"))
        #expect(!sandbox.exists("copy/\(name)"))
    }

    @Test func conflictCopyOfALockFileIsNoIndex() throws {
        let boxes = try sandbox.twoBoxes()
        try sandbox.write("", to: ".boxes.sync-conflict-20261123-101500-ABCDEFG.lock")
        #expect(try boxes.verify().map(\.kind) == [.conflictCopy])
        try sandbox.makeFolder("Four")
        try boxes.append(Box(id: 4, folderName: "Four"))
    }

    @Test func indexWithANumberIsAnIndex() throws {
        let boxes = try sandbox.twoBoxes()
        let others = try Directory<Box>(at: sandbox.url, index: "boxes 2.json")
        try others.append(Box(id: 3, folderName: "Three"))
        #expect(try others.verify().isEmpty && boxes.verify().isEmpty)
        expectError(.nameTaken) { try boxes.append(Box(id: 4, folderName: "Three")) }
    }

    /// As one that was copied without hidden files.
    @Test func indexWithANumberAndAFolderOfAssetsIsAnIndex() throws {
        let boxes = try sandbox.twoBoxes()
        try sandbox.write("[]", to: "boxes 2.json")
        try sandbox.write("asset", to: "boxes 2/1.jpg")
        #expect(try boxes.verify().isEmpty)
    }

    @Test func folderBelowTheMarkerOfASyncEngineIsAFinding() throws {
        let boxes = try sandbox.twoBoxes()
        try sandbox.makeFolder(".stfolder")
        let findings = try boxes.verify() + boxes.child(.notes, of: 1).verify()
        #expect(findings.map(\.kind) == [.syncedFolder, .syncedFolder])
        #expect(Set(findings.map(\.path)).count == 1)
        #expect(try boxes.repair().isEmpty)
    }
}
