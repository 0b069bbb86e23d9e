import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Transfers of boxes from one collection to another.
@Suite(.timeLimit(.minutes(30))) struct TransferTests {
    let sandbox: Sandbox
    let source: Directory<Box>
    let target: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        source = try sandbox.boxes("from")
        target = try sandbox.boxes("to")
        try source.append(contentsOf: [
            Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two"),
            Box(id: 3, folderName: "Three"),
        ])
        try target.append(Box(id: 9, folderName: "Nine"))
        try source.child(.notes, of: 1).append(.eggs)
        try source.child(.parts, of: 1).append(Box(id: 5, folderName: "Deep"))
        try source.child(.parts, of: 1).child(.photos, of: 5).insert(Data([5]))
    }

    @Test func itemsMoveWithTheirFoldersInTheGivenOrder() throws {
        let folder = try sandbox.tree("from/One")
        try source.transfer([3, 1], to: target)
        #expect(source.items.map(\.id) == [2])
        #expect(target.items.map(\.id) == [9, 3, 1])
        #expect(try sandbox.tree("to/One") == folder)
        #expect(folder.count > 6)
        #expect(!sandbox.exists("from/One") && !sandbox.exists("from/Three"))
        #expect(try target.notes(of: 1) == [.eggs])
        let photos = try target.child(.parts, of: 1).child(.photos, of: 5)
        try photos.load()
        #expect(try photos.readFirst() == Data([5]))
        #expect(try sandbox.leftovers().isEmpty)
        #expect(try source.verify().isEmpty && target.verify().isEmpty)
    }

    /// An edited index can have a name that no item may give its folder.
    @Test(arguments: ["Two.recovered", ".two", "T/wo", ""])
    func itemWithoutAFolderGetsNone(_ name: String) throws {
        let text = try sandbox.text("from/boxes.json")
        try source.close()
        try sandbox.write(text.replacing("\"Two\"", with: "\"\(name)\""), to: "from/boxes.json")
        let edited = try sandbox.boxes("from")
        try edited.load()
        #expect(edited.items[id: 2]?.folderName == name)
        try edited.transfer([2], to: target) { $0.folderName = "New" }
        #expect(target.items[id: 2]?.folderName == "New")
        #expect(!sandbox.exists("to/New") && sandbox.exists("from/Two"))
    }

    @Test func errorSaysWhyATransferCouldNotBeUndone() throws {
        let isFailing = Atomic(false)
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            if call.hasPrefix("write"), call.hasSuffix(" committed") {
                isFailing.store(true, ordering: .relaxed)
                return .fails(.noSpace)
            }
            guard call.hasPrefix("rename") else { return .works }
            return isFailing.load(ordering: .relaxed) ? .fails(.accessDenied) : .works
        }
        let boxes = try ["from", "to"].map {
            try Directory<Box>(at: sandbox.url($0), index: "boxes.json", on: process)
        }
        let error = try #require(expectError(.inDoubt) { try boxes[0].transfer([1], to: boxes[1]) })
        #expect((error.underlying as? FileSystemError)?.code == .noSpace)
        #expect(error.message.contains("from/One: \(Errno.accessDenied.reason)"))
        process.kill()
        // The write was not decided.
        try source.load()
        #expect(source.items.map(\.id) == [1, 2, 3])
        #expect(sandbox.exists("from/One") && !sandbox.exists("to/One"))
    }

    @Test func transferIsReadByAnotherProcess() throws {
        try source.transfer([1], to: target)
        let from = try Directory<OtherBox>(at: sandbox.url("from"), index: "boxes.json")
        let to = try Directory<OtherBox>(at: sandbox.url("to"), index: "boxes.json")
        try from.load()
        try to.load()
        #expect(from.items.map(\.id) == [2, 3])
        #expect(to.items.map(\.id) == [9, 1])
    }

    @Test func openChildIsClosedAndOpensThroughTheTarget() throws {
        let old = try source.child(.notes, of: 1)
        try source.transfer([1], to: target)
        let anew = try target.child(.notes, of: 1)
        try anew.append(.milk)
        #expect(try target.notes(of: 1) == [.eggs, .milk])
        expectError(.containerRemoved) { try old.append(.salt) }
        #expect(Array(anew.items) == [.eggs, .milk])
        #expect(!sandbox.exists("from/One"))
    }

    @Test func closedChildMakesNothing() throws {
        let old = try source.child(.notes, of: 1)
        try source.transfer([1], to: target)
        let tree = try sandbox.tree()
        expectError(.containerRemoved) { try old.append(.salt) }
        #expect(try sandbox.tree() == tree)
    }

    @Test func streamsOfBothSidesReportTheTransfer() async throws {
        var (left, arrived) = (
            source.changes.makeAsyncIterator(), target.changes.makeAsyncIterator()
        )
        try await source.transfer([3, 1], to: target)
        #expect(await left.next().map { Set($0.removed) } == [1, 3])
        #expect(await arrived.next().map { Set($0.inserted) } == [1, 3])
    }

    @Test func asyncTransferMovesTheItem() async throws {
        try await source.transfer([1], to: target)
        #expect(target.items.map(\.id) == [9, 1])
    }

    @Test func transferToTheSameCollectionOrOfNoItemsChangesNothing() throws {
        let tree = try sandbox.tree()
        try source.transfer([1], to: source)
        try source.transfer([], to: target)
        try source.transfer([1], to: sandbox.boxes("from"))
        #expect(try sandbox.tree() == tree)
    }

    @Test func transferThereAndBackRestoresTheFolder() throws {
        let tree = try sandbox.tree("from").filter { $0.key != ".boxes.lock" }
        try source.transfer([1, 2, 3], to: target)
        try target.transfer([1, 2, 3], to: source)
        try source.checkpoint()
        #expect(try sandbox.tree("from").filter { $0.key != ".boxes.lock" } == tree)
    }

    /// Someone edited the index.
    @Test func folderStaysWithTheFirstOfTwoItemsThatNameIt() throws {
        let text = try sandbox.text("from/boxes.json")
        try sandbox.write(
            text.replacing(#""folderName":"Two""#, with: #""folderName":"One""#),
            to: "from/boxes.json")
        try source.transfer([2], to: target)
        #expect(try source.notes(of: 1) == [.eggs])
        #expect(target.items.map(\.id) == [9, 2])
        #expect(!sandbox.exists("to/One"))
    }

    @Test func transferBetweenTwoIndexesOfOneFolderIsRefused() throws {
        let other = try Directory<Box>(at: sandbox.url("from"), index: "attic.json")
        expectError(.nameTaken) { try source.transfer([1], to: other) }
        #expect(try source.notes(of: 1) == [.eggs])
        #expect(other.isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func transferInsideAWriteIsRefused() throws {
        expectError(.nestedWrite) {
            try source.write { _ in try source.transfer([1], to: target) }
        }
    }
}
