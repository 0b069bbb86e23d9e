import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Transfers that are refused, and change neither side.
extension TransferTests {
    /// Expects that `body` fails with `code` and changes neither side, and that later changes work.
    private func expectRefusal(
        _ code: DirectoryError.Code, at location: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) throws {
        let tree = try sandbox.tree()
        let items = [Array(source.items), Array(target.items)]
        expectError(code, sourceLocation: location, body)
        #expect(try sandbox.tree() == tree, sourceLocation: location)
        #expect([Array(source.items), Array(target.items)] == items, sourceLocation: location)
        try source.append(Box(id: 100, folderName: "later"))
        try target.append(Box(id: 100, folderName: "later"))
        #expect(try source.notes(of: 1) == [.eggs], sourceLocation: location)
    }

    @Test func missingItemIsRefused() throws {
        try expectRefusal(.itemNotFound) { try source.transfer([1, 7], to: target) }
    }

    @Test func duplicateIDIsRefused() throws {
        try target.append(Box(id: 1, folderName: "Other"))
        try expectRefusal(.duplicateID) { try source.transfer([2, 1], to: target) }
    }

    @Test func repeatedItemIsRefused() throws {
        try expectRefusal(.duplicateID) { try source.transfer([1, 1], to: target) }
    }

    @Test(arguments: ["One", "ONE"]) func nameOfAnItemInTheTargetIsTaken(_ name: String) throws {
        try target.append(Box(id: 3, folderName: name))
        try expectRefusal(.nameTaken) { try source.transfer([2, 1], to: target) }
    }

    @Test func nameOfAnUnknownFolderOrFileInTheTargetIsTaken() throws {
        try sandbox.write("mine", to: "to/One/mine.txt")
        try sandbox.write("mine", to: "to/Two")
        try expectRefusal(.nameTaken) { try source.transfer([1], to: target) }
        expectError(.nameTaken) { try source.transfer([2], to: target) }
    }

    /// The lock file is the first that another process makes of a new index.
    @Test func nameOfAnIndexThatIsBeingMadeInTheTargetIsTaken() throws {
        let sandbox = sandbox
        let interruption = Interruption()
        let process = interruption.process(beforeCall: "rename ", "/to/One")
        let (from, to) = try (
            Directory<OtherBox>(at: sandbox.url("from"), index: "boxes.json", on: process),
            Directory<OtherBox>(at: sandbox.url("to"), index: "boxes.json", on: process)
        )
        interruption.set { try sandbox.write("", to: "to/.One.lock") }
        expectError(.nameTaken) { try from.transfer([1], to: to) }
        #expect(interruption.hasRun)
        #expect(!sandbox.exists("to/One"))
        #expect(try source.notes(of: 1) == [.eggs])
    }

    @Test func nameOfAnEmptyFolderInTheTargetIsTaken() throws {
        try sandbox.makeFolder("to/One")
        try expectRefusal(.nameTaken) { try source.transfer([2, 1], to: target) }
    }

    @Test func transferIntoADescendantIsRefused() throws {
        let inner = try source.child(.parts, of: 1)
        let deep = try inner.child(.parts, of: 5)
        try deep.append(Box(id: 6, folderName: "Deeper"))
        try expectRefusal(.invalidLocation) { try source.transfer([2, 1], to: inner) }
        expectError(.invalidLocation) { try source.transfer([1], to: deep) }
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func transferFromOrToAPreviewIsRefused() throws {
        let preview = try Directory<Box>(
            parent: sandbox.url("preview"), fileName: "boxes.json", isPreview: true)
        try preview.append(Box(id: 3, folderName: "Three"))
        try expectRefusal(.crossVolume) { try preview.transfer([3], to: target) }
        expectError(.crossVolume) { try source.transfer([2], to: preview) }
    }

    @Test func transferToADamagedCollectionIsRefused() throws {
        try sandbox.write("{", to: "broken/boxes.json")
        let broken = try Directory<Box>(at: sandbox.url("broken"), index: "boxes.json")
        expectError(.damagedIndex) { try broken.append(Box(id: 1, folderName: "One")) }
        try expectRefusal(.damagedIndex) { try source.transfer([1], to: broken) }
        #expect(try sandbox.text("broken/boxes.json") == "{")
    }
}
