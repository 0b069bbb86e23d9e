import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// What spans two collections of a tree, while a container above one of them moves.
@Suite(.timeLimit(.minutes(30))) struct TreeTests {
    let disk = MemoryFileSystem()
    /// The photograph in the first box.
    let photo: Photo

    init() throws {
        let boxes = try Self.boxes(on: ProcessFileSystem(disk))
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        photo = try boxes.child(.photos, of: 1).insert(Data([1]), name: "a.jpg")
        try boxes.child(.photos, of: 2).insert(Data([2]), name: "b.jpg")
    }

    private static func boxes(on fileSystem: any FileSystem) throws -> Directory<Box> {
        let boxes = try Directory<Box>(
            at: URL(filePath: "/store"), index: "boxes.json",
            options: .init(lockTimeout: .milliseconds(20)), on: fileSystem)
        try boxes.load()
        return boxes
    }

    /// The boxes as another process opens them.
    private func boxes() throws -> Directory<Box> { try Self.boxes(on: ProcessFileSystem(disk)) }

    /// Transfers the photograph from the first box to the second one.
    private func transfer(on process: ProcessFileSystem) throws {
        let boxes = try Self.boxes(on: process)
        try boxes.child(.photos, of: 1).transfer([photo.id], to: boxes.child(.photos, of: 2))
    }

    /// The number of calls of a transfer.
    private func calls() throws -> Int {
        let process = ProcessFileSystem(MemoryFileSystem(disk.image))
        try transfer(on: process)
        return process.calls
    }

    /// Expects that each box that there is holds its photographs and nothing else is left.
    private func expectIntact(
        photoIn allowed: Set<Int>, at location: SourceLocation = #_sourceLocation
    ) throws {
        let boxes = try boxes()
        var owners: Set<Int> = []
        for box in boxes.items {
            let photos = try boxes.child(.photos, of: box.id)
            #expect(try photos.verify().isEmpty, sourceLocation: location)
            if photos[id: photo.id] != nil {
                owners.insert(box.id)
                #expect(try photos.data(of: photo.id) == Data([1]), sourceLocation: location)
            }
        }
        #expect(try boxes.verify().isEmpty, sourceLocation: location)
        #expect(owners.count <= 1 && owners.isSubset(of: allowed), sourceLocation: location)
        if !allowed.isEmpty { #expect(owners.count == 1, sourceLocation: location) }
    }

    /// Stops a transfer before each of its calls, while another process removes the target.
    @Test func transferIntoAContainerThatIsRemovedMeanwhileLosesNothing() throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: try calls()) {
            let test = try TreeTests()
            let removal = Interruption()
            removal.set {
                do {
                    try test.boxes().remove(id: 2)
                } catch let error as DirectoryError where error.code == .locked {
                    // The transfer holds the container in place.
                }
            }
            let process = ProcessFileSystem(test.disk) { number in
                if number == call { removal.run() }
                return .works
            }
            do {
                try test.transfer(on: process)
                let isRemoved = try test.boxes()[id: 2] == nil
                try test.expectIntact(photoIn: isRemoved ? [] : [2])
            } catch let error as DirectoryError {
                let codes: [DirectoryError.Code] = [.containerRemoved, .itemNotFound]
                #expect(codes.contains(error.code), "call \(call): \(error)")
                try test.expectIntact(photoIn: [1])
            }
        }
    }

    /// Kills a transfer before each of its calls; then the target is removed before anything opens
    /// the photographs.
    @Test func removingTheTargetOfAKilledTransferLeavesNothingBehind() throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: try calls()) {
            let test = try TreeTests()
            let process = ProcessFileSystem(test.disk) { $0 == call ? .killed : .works }
            _ = try? test.transfer(on: process)
            let target = MemoryFileSystem(test.disk.image)
            try test.boxes().remove(id: 2)
            // The transfer had taken place if the target had the photograph.
            let before = try Self.boxes(on: ProcessFileSystem(target))
            let wasAdded = try before.child(.photos, of: 2).loaded()[id: test.photo.id] != nil
            try test.expectIntact(photoIn: wasAdded ? [] : [1])
        }
    }

    /// Kills a transfer before each of its calls; then both containers get other names, and new
    /// ones get theirs.
    @Test func namesUsedAgainDoNotMisleadAKilledTransfer() throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: try calls()) {
            let test = try TreeTests()
            let process = ProcessFileSystem(test.disk) { $0 == call ? .killed : .works }
            _ = try? test.transfer(on: process)
            let boxes = try test.boxes()
            try boxes.update(Box(id: 1, folderName: "Three"))
            try boxes.update(Box(id: 2, folderName: "Four"))
            try boxes.append(contentsOf: [
                Box(id: 3, folderName: "One"), Box(id: 4, folderName: "Two"),
            ])
            for id in [3, 4] { try boxes.child(.photos, of: id).insert(Data([9])) }
            try test.expectIntact(photoIn: [1, 2])
        }
    }

    @Test(arguments: [false, true])
    func childOfAStaleHandleIsTheFolderOfItsItem(_ isRemoved: Bool) throws {
        let stale = try boxes()
        let others = try boxes()
        if isRemoved {
            try others.remove(id: 1)
        } else {
            try others.update(Box(id: 1, folderName: "Three"))
        }
        try others.append(Box(id: 3, folderName: "One"))
        if isRemoved {
            expectError(.itemNotFound) { _ = try stale.child(.notes, of: 1) }
        } else {
            try stale.child(.notes, of: 1).append(.eggs)
            #expect(try Array(others.child(.notes, of: 1).loaded()) == [.eggs])
        }
        #expect(try others.child(.notes, of: 3).loaded().isEmpty)
    }

    @Test func commitInsideDoesNotHoldAContainerInPlace() throws {
        let rename = Interruption()
        let boxes = try Self.boxes(on: rename.process(on: disk, beforeCall: "sync", ".tmp"))
        let notes = try boxes.child(.notes, of: 1)
        rename.set { try self.boxes().update(Box(id: 1, folderName: "Three")) }
        try notes.append(.eggs)
        #expect(rename.hasRun)
        #expect(try Array(boxes.child(.notes, of: 1).loaded()) == [.eggs])
        #expect(notes.url.path == "/store/Three/notes.json")
    }
}
