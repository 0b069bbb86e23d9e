import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Power losses, copies and other programs.
extension AbandonedFolderTests {
    /// Calls `body` in the states that a power loss can leave during an append of the container "New".
    private func afterEachPowerLoss(
        of id: Int, on image: MemoryFileSystem.Image, _ profile: PowerLoss.Profile,
        _ body: (Directory<Box>) throws -> Void
    ) throws {
        let disk = RecordedDisk(image)
        try Self.boxes(on: ProcessFileSystem(disk)).append(Box(id: id, folderName: "New"))
        let loss = PowerLoss(disk, profile)
        var count = 0
        try loss.forEachState(
            at: loss.moments, .init(exhaustive: 3, samples: 4, tears: 0), seed: 1
        ) { state in
            let boxes = try Self.boxes(on: ProcessFileSystem(MemoryFileSystem(state.image)))
            if boxes[id: id] != nil { return }
            count += 1
            try body(boxes)
        }
        #expect(count > 0)
    }

    @Test(arguments: Sweep.cases(PowerLoss.Profile.allCases, sample: 1))
    func nameCanBeGivenAfterAPowerLoss(_ profile: PowerLoss.Profile) throws {
        try afterEachPowerLoss(of: 2, on: start, profile) { boxes in
            try boxes.append(Box(id: 4, folderName: "New"))
        }
    }

    @Test(arguments: Sweep.cases(PowerLoss.Profile.allCases, sample: 1))
    func nameCanBeGivenAfterAKillAndAPowerLoss(_ profile: PowerLoss.Profile) throws {
        try afterEachPowerLoss(of: 3, on: afterKill().image, profile) { boxes in
            try boxes.append(Box(id: 4, folderName: "New"))
        }
    }

    /// Where the item goes, there is an index with the name of the source.
    ///
    /// The process that added the item was killed, and another program has put a file into the folder; or
    /// it goes on, and its removal of the mark is not synced yet.
    @Test(
        arguments: Sweep.cases(PowerLoss.Profile.allCases, sample: 1, gate: 1),
        Sweep.cases([true, false], sample: 1))
    func folderLosesTheMarkBeforeAnotherIndexGetsItDurably(
        _ profile: PowerLoss.Profile, _ isKilled: Bool
    ) throws {
        let base = try isKilled ? afterKill(committed: true) : MemoryFileSystem(start)
        let other = try Self.boxes(at: "/other", on: ProcessFileSystem(base))
        try other.remove(id: 7)
        let disk = RecordedDisk(base.image)
        let process = ProcessFileSystem(disk)
        if isKilled {
            let new = try disk.openFolder("New", in: disk.openFolder(at: "/store"))
            _ = try disk.openFile("mine", in: new, for: .create(mode: 0o600))
        } else {
            try Self.boxes(on: process).append(Box(id: 2, folderName: "New"))
        }
        let crates = try Self.boxes(at: "/other", index: "crates.json", on: process)
        try Self.boxes(on: process).transfer([2], to: crates)
        let loss = PowerLoss(disk, profile)
        var sweep = Sweep()
        let last = loss.moments.count - 1
        let moments = sweep.numbers(below: last) + [last]
        try loss.forEachState(
            at: moments, .init(exhaustive: 3, samples: 4, tears: 0), seed: 1
        ) { state in
            let process = ProcessFileSystem(MemoryFileSystem(state.image))
            let crates = try Self.boxes(at: "/other", index: "crates.json", on: process)
            if crates[id: 2] == nil { return }
            let other = try Self.boxes(at: "/other", on: process)
            expectError(.nameTaken) { try other.append(Box(id: 3, folderName: "New")) }
        }
    }

    @Test func copyHasNoFolderOfAnItemThatWasNotCommitted() throws {
        let disk = try afterKill()
        let index = try disk.openFile(
            "roots.json", in: disk.openFolder(at: "/"), for: .create(mode: 0o600))
        try disk.write(Array(#"[{"folderName":"store","id":1}]"#.utf8), to: index, at: 0)
        let process = ProcessFileSystem(disk)
        let roots = try Self.boxes(at: "/", index: "roots.json", on: process)
        try roots.copy(to: URL(filePath: "/copy"))
        let copy = try Self.boxes(at: "/copy/store", on: process)
        #expect(copy.items.map(\.id) == [1])
        try copy.append(Box(id: 3, folderName: "New"))
    }

    /// Another process puts something into the folder just before it is removed.
    @Test func folderThatIsUsedMeanwhileStays() throws {
        let disk = try afterKill()
        let process = ProcessFileSystem(disk) { _, call in
            guard call.hasPrefix("rename /store/New to") else { return .works }
            try? Self.boxes(at: "/store/New", index: "inner.json", on: ProcessFileSystem(disk))
                .append(Box(id: 1, folderName: "Deep"))
            return .works
        }
        let boxes = try Self.boxes(on: process)
        expectError(.nameTaken) { try boxes.append(Box(id: 3, folderName: "New")) }
        let inner = try Self.boxes(
            at: "/store/New", index: "inner.json", on: ProcessFileSystem(disk))
        #expect(inner.items.map(\.id) == [1])
        #expect(try inner.verify() == [])
    }
}
