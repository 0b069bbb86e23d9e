import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Removed folders that are not deleted yet when a later item gets their name.
struct RemovedFolderTests {
    private func boxes(
        at path: String = "/store", undoLimit: Int = 0, on process: ProcessFileSystem
    ) throws -> Directory<Box> {
        var options = DirectoryOptions(undoLimit: undoLimit)
        options.journalThreshold = 0
        return try Directory(
            at: URL(filePath: path), index: "boxes.json", options: options, on: process)
    }

    /// A disk with the container "One", and another with that name elsewhere.
    private func start() throws -> MemoryFileSystem {
        let disk = MemoryFileSystem()
        let boxes = try boxes(on: ProcessFileSystem(disk))
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.child(.notes, of: 1).append(.eggs)
        let other = try self.boxes(at: "/other", on: ProcessFileSystem(disk))
        try other.append(Box(id: 2, folderName: "One"))
        return disk
    }

    /// The power is lost while the removed folder is deleted, or was not.
    @Test(
        arguments: Sweep.cases([PowerLoss.Profile.posix, .btrfs], sample: 1),
        Sweep.cases([0, 5], sample: 1, gate: 1))
    func removedFolderDoesNotWaitForALaterItem(_ profile: PowerLoss.Profile, _ undoLimit: Int)
        throws
    {
        let cases = [(false, false), (true, false), (false, true), (true, true)]
        for (isTransferred, isCleanedUp) in Sweep.cases(cases, sample: 1) {
            let disk = RecordedDisk(try start().image)
            let process = ProcessFileSystem(disk) { _, call in
                let isCleanUp =
                    call.hasPrefix("remove /store/.staging/") && call.contains("/removed-")
                return isCleanUp && !isCleanedUp ? .fails(.ioError) : .works
            }
            let boxes = try boxes(undoLimit: undoLimit, on: process)
            let other = try self.boxes(at: "/other", on: process)
            try boxes.remove(id: 1)
            boxes.core.background.wait()
            let removed = disk.moment
            if isTransferred {
                try other.transfer([2], to: boxes)
            } else {
                try boxes.append(Box(id: 2, folderName: "One"))
            }
            process.kill()
            let loss = PowerLoss(disk, profile)
            // From the commit of the new item on; before it, there is less to confuse.
            var sweep = Sweep()
            let last = Array(loss.moments.filter { $0 > removed }.suffix(6))
            let moments = sweep.some(last, 6).sorted()
            try loss.forEachState(
                at: moments, .init(exhaustive: 2, samples: 4, tears: 0), seed: 1
            ) { state in
                let next = ProcessFileSystem(MemoryFileSystem(state.image))
                let found = try self.boxes(on: next)
                try found.write { _ in }
                let findings = try found.verify()
                #expect(findings == [], "\(state.moment), \(isTransferred), \(isCleanedUp)")
            }
            withExtendedLifetime((boxes, other)) {}
        }
    }

    /// Recovery leaves the folder where it is, because the damaged element may own it.
    @Test func nameIsNotGivenBesideADamagedItem() throws {
        var sweep = Sweep()
        for call in sweep.numbers(below: 400) {
            let disk = try start()
            let store = try disk.openFolder(at: "/store")
            let index = try disk.openFile("boxes.json", in: store, for: .update)
            let text = #"[{"folderName":"One","id":1},{"folderName":"Four","id":4},{"id":"bad"}]"#
            try disk.truncate(index, to: 0)
            try disk.write(Array(text.utf8), to: index, at: 0)
            let killed = ProcessFileSystem(disk) { $0 == call ? .killed : .works }
            let removed = Result { try self.boxes(on: killed).remove(id: 1) }
            let boxes = try self.boxes(on: ProcessFileSystem(disk))
            try? boxes.append(Box(id: 2, folderName: "One"))
            _ = try boxes.migrateDamagedItems { _ in Box(id: 3, folderName: "Three") }
            let next = try self.boxes(on: ProcessFileSystem(disk))
            try next.write { _ in }
            #expect(try next.verify() == [])
            if !killed.isDead { return try removed.get() }
        }
        Issue.record("more calls than expected")
    }
}
