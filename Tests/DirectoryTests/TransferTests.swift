import Directory
import FileSystem
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct TransferTests {
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
        try source.child(.boxes, of: 1).append(Box(id: 5, folderName: "Deep"))
        try source.child(.boxes, of: 1).child(.photos, of: 5).insert(Data([5]))
    }

    @Test func itemsMoveWithAllTheyOwnInTheOrderGiven() throws {
        let folder = try sandbox.tree("from/One")
        try source.transfer([3, 1], to: target)
        #expect(source.items.map(\.id) == [2])
        #expect(target.items.map(\.id) == [9, 3, 1])
        #expect(try sandbox.tree("to/One") == folder)
        #expect(folder.count > 6)
        #expect(!sandbox.exists("from/One") && !sandbox.exists("from/Three"))
        #expect(try target.notes(of: 1) == [.eggs])
        let photos = try target.child(.boxes, of: 1).child(.photos, of: 5)
        try photos.load()
        #expect(try photos.readFirst() == Data([5]))
        #expect(try sandbox.leftovers().isEmpty)
        #expect(try source.verify().isEmpty && target.verify().isEmpty)
    }

    @Test func itIsOnDiskForOthers() throws {
        try source.transfer([1], to: target)
        let from = try Directory<OtherBox>(at: sandbox.url("from"), index: "boxes.json")
        let to = try Directory<OtherBox>(at: sandbox.url("to"), index: "boxes.json")
        try from.load()
        try to.load()
        #expect(from.items.map(\.id) == [2, 3])
        #expect(to.items.map(\.id) == [9, 1])
    }

    @Test func openChildrenWorkOnceOpenedAnew() throws {
        let old = try source.child(.notes, of: 1)
        try source.transfer([1], to: target)
        let anew = try target.child(.notes, of: 1)
        try anew.append(.milk)
        #expect(try target.notes(of: 1) == [.eggs, .milk])
        expectError(.containerRemoved) { try old.append(.salt) }
        #expect(Array(anew.items) == [.eggs, .milk])
        #expect(!sandbox.exists("from/One"))
    }

    @Test func childThatIsNotOpenedAnewMakesNothing() throws {
        let old = try source.child(.notes, of: 1)
        try source.transfer([1], to: target)
        let tree = try sandbox.tree()
        expectError(.containerRemoved) { try old.append(.salt) }
        #expect(try sandbox.tree() == tree)
    }

    @Test func observersOfBothSidesAreTold() async throws {
        var (left, arrived) = (
            source.changes.makeAsyncIterator(), target.changes.makeAsyncIterator()
        )
        try await source.transfer([3, 1], to: target)
        #expect(await left.next().map { Set($0.removed) } == [1, 3])
        #expect(await arrived.next().map { Set($0.inserted) } == [1, 3])
    }

    @Test func asynchronousTwin() async throws {
        try await source.transfer([1], to: target)
        #expect(target.items.map(\.id) == [9, 1])
    }

    @Test func transferToItselfAndOfNothingChangesNothing() throws {
        let tree = try sandbox.tree()
        try source.transfer([1], to: source)
        try source.transfer([], to: target)
        try source.transfer([1], to: sandbox.boxes("from"))
        #expect(try sandbox.tree() == tree)
    }

    @Test func thereAndBack() throws {
        let tree = try sandbox.tree("from").filter { $0.key != ".boxes.lock" }
        try source.transfer([1, 2, 3], to: target)
        try target.transfer([1, 2, 3], to: source)
        #expect(try sandbox.tree("from").filter { $0.key != ".boxes.lock" } == tree)
    }

    @Test func betweenTwoIndexesOfOneFolder() throws {
        let other = try Directory<Box>(at: sandbox.url("from"), index: "attic.json")
        expectError(.nameTaken) { try source.transfer([1], to: other) }
        #expect(try source.notes(of: 1) == [.eggs])
        #expect(other.isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func nestedChangeIsRefused() throws {
        expectError(.nestedWrite) {
            try source.write { _ in try source.transfer([1], to: target) }
        }
    }
}

/// Transfers that cannot be, which must leave both sides as they are.
@Suite(.timeLimit(.minutes(15))) struct RefusedTransferTests {
    let sandbox: Sandbox
    let source: Directory<Box>
    let target: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        source = try sandbox.boxes("from")
        target = try sandbox.boxes("to")
        try source.append(contentsOf: [
            Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two"),
        ])
        try target.append(Box(id: 9, folderName: "Nine"))
        try source.child(.notes, of: 1).append(.eggs)
    }

    private func expectNothing(
        but code: DirectoryError.Code, at location: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) throws {
        let tree = try sandbox.tree()
        let items = [Array(source.items), Array(target.items)]
        expectError(code, sourceLocation: location, body)
        #expect(try sandbox.tree() == tree, sourceLocation: location)
        #expect([Array(source.items), Array(target.items)] == items, sourceLocation: location)
        // Nothing is left that a later change would have to stumble over.
        try source.append(Box(id: 100, folderName: "later"))
        try target.append(Box(id: 100, folderName: "later"))
        #expect(try source.notes(of: 1) == [.eggs], sourceLocation: location)
    }

    @Test func itemThatIsNotThere() throws {
        try expectNothing(but: .itemNotFound) { try source.transfer([1, 7], to: target) }
    }

    @Test func takenID() throws {
        try target.append(Box(id: 1, folderName: "Other"))
        try expectNothing(but: .duplicateID) { try source.transfer([2, 1], to: target) }
    }

    @Test func oneItemTwice() throws {
        try expectNothing(but: .duplicateID) { try source.transfer([1, 1], to: target) }
    }

    @Test(arguments: ["One", "ONE"]) func nameOfAnItemOfTheTarget(_ name: String) throws {
        try target.append(Box(id: 3, folderName: name))
        try expectNothing(but: .nameTaken) { try source.transfer([2, 1], to: target) }
    }

    @Test func nameOfAnUnknownFolderOrFileInTheTarget() throws {
        try sandbox.write("mine", to: "to/One/mine.txt")
        try sandbox.write("mine", to: "to/Two")
        try expectNothing(but: .nameTaken) { try source.transfer([1], to: target) }
        expectError(.nameTaken) { try source.transfer([2], to: target) }
    }

    @Test func nameOfAnEmptyFolderInTheTarget() throws {
        try sandbox.makeFolder("to/One")
        try expectNothing(but: .nameTaken) { try source.transfer([2, 1], to: target) }
    }

    @Test func intoItsOwnDescendant() throws {
        let inner = try source.child(.boxes, of: 1)
        try inner.append(Box(id: 5, folderName: "Deep"))
        let deep = try inner.child(.boxes, of: 5)
        try deep.append(Box(id: 6, folderName: "Deeper"))
        try expectNothing(but: .ioFailure) { try source.transfer([2, 1], to: inner) }
        expectError(.ioFailure) { try source.transfer([1], to: deep) }
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func fromAPreview() throws {
        let preview = try Directory<Box>(
            parent: sandbox.url("preview"), fileName: "boxes.json", isPreview: true)
        try preview.append(Box(id: 3, folderName: "Three"))
        try expectNothing(but: .crossVolume) { try preview.transfer([3], to: target) }
        expectError(.crossVolume) { try source.transfer([2], to: preview) }
    }

    @Test func toACollectionThatCannotBeRead() throws {
        try sandbox.write("{", to: "broken/boxes.json")
        let broken = try Directory<Box>(at: sandbox.url("broken"), index: "boxes.json")
        expectError(.damagedIndex) { try broken.append(Box(id: 1, folderName: "One")) }
        try expectNothing(but: .damagedIndex) { try source.transfer([1], to: broken) }
        #expect(try sandbox.text("broken/boxes.json") == "{")
    }
}

@Suite(.timeLimit(.minutes(15))) struct AssetTransferTests {
    let sandbox: Sandbox
    let source: Directory<Photo>
    let target: Directory<Photo>
    let photos: [Photo]

    init() throws {
        sandbox = try Sandbox()
        source = try sandbox.photos("from")
        target = try sandbox.photos("to")
        photos = try source.insert([Data([1]), Data([2]), Data([3])])
    }

    @Test func filesMoveWithTheirItems() throws {
        try source.transfer([photos[2].id, photos[0].id], to: target)
        #expect(Array(target.items) == [photos[2], photos[0]])
        #expect(Array(source.items) == [photos[1]])
        #expect(try target.data(of: photos[2].id) == Data([3]))
        #expect(try sandbox.tree("from/photos").count == 1)
        #expect(try source.verify().isEmpty && target.verify().isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
    }

    @Test func nameOfAnUnknownFileInTheTargetChangesNothing() throws {
        try sandbox.write("mine", to: "to/photos/\(photos[1].fileName)")
        let tree = try sandbox.tree("from").filter { !$0.key.hasSuffix(".lock") }
        expectError(.nameTaken) { try source.transfer(photos.map(\.id), to: target) }
        #expect(try sandbox.tree("from").filter { !$0.key.hasSuffix(".lock") } == tree)
        #expect(try sandbox.text("to/photos/\(photos[1].fileName)") == "mine")
        #expect(try sandbox.tree("to/photos").count == 1)
        #expect(try sandbox.leftovers().isEmpty)
        try source.insert(Data([4]))
        try target.insert(Data([4]))
    }

    @Test func itemWhoseFileIsGoneMovesWithoutIt() throws {
        try sandbox.remove("from/photos/\(photos[0].fileName)")
        try source.transfer([photos[0].id], to: target)
        #expect(Array(target.items) == [photos[0]])
        #expect(try target.verify().map(\.kind) == [.missingAsset])
    }

    @Test func crossedTransfersOfManyThreadsLoseNothing() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for photo in photos {
                for _ in 0..<2 {
                    group.addTask {
                        for _ in 0..<2 {
                            try await move(photo, from: source, to: target)
                            try await move(photo, from: target, to: source)
                        }
                    }
                }
            }
            group.addTask { [source, target] in
                for byte in 0..<UInt8(4) {
                    try source.insert(Data([byte, byte]))
                    try target.insert(Data([byte, byte]))
                }
            }
            try await group.waitForAll()
        }
        let all = Array(source.items) + Array(target.items)
        #expect(Set(all.map(\.id)).count == 11)
        #expect(all.count == 11)
        for (number, photo) in photos.enumerated() {
            let holder = source[id: photo.id] == nil ? target : source
            #expect(try holder.data(of: photo.id) == Data([UInt8(number + 1)]))
        }
        #expect(try source.verify().isEmpty && target.verify().isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
    }

    /// Moves a photograph, unless another thread was faster.
    private func move(_ photo: Photo, from: Directory<Photo>, to: Directory<Photo>) async throws {
        do {
            try await from.transfer([photo.id], to: to)
        } catch let error as DirectoryError where error.code == .itemNotFound {}
    }
}
