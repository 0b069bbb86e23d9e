import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Archives, and restorings from them, that are killed, fail or lose power at each call.
struct ArchiveKillTests {
    private static let archive = URL(filePath: "/backups/store.zip")

    private func archive(on fileSystem: any FileSystem) throws {
        let store = try Session(on: fileSystem, .rewrite)
        try store.projects.archive(to: Self.archive)
    }

    /// Expects the store as it was, and at the place of the archive a whole one, or nothing unless it `isMade`.
    private func expectSound(_ disk: MemoryFileSystem, isMade: Bool, _ comment: Comment) throws {
        try disk.buryOwners()
        let store = try Session(on: ProcessFileSystem(disk), .rewrite)
        #expect(try store.tree() == Tree.large.visible, comment)
        // After a power loss, nobody knows whose a stage is.
        #expect(try store.findings().filter { $0.kind != .leftoverStage } == [], comment)
        store.waitForBackground()
        #expect(disk.image.leftovers == [], comment)
        let parent = try disk.unlessMissing { try disk.openFolder(at: "/backups") }
        let found = try parent.flatMap { try disk.status(of: "store.zip", in: $0) }
        #expect(found != nil || !isMade, comment)
        if found == nil { try archive(on: ProcessFileSystem(disk)) }
        let other = try Directory<Box>(
            at: URL(filePath: "/other"), index: "projects.json", on: ProcessFileSystem(disk))
        try other.restore(from: Self.archive)
        #expect(Array(other.items) == Tree.large.projects.map(\.box), comment)
        #expect(try Directory.verify(below: URL(filePath: "/other"), on: disk) == [], comment)
    }

    @Test func archiveIsThereOrNotWhenItIsKilled() throws {
        let image = try Tree.large.disk(.rewrite)
        var sweep = Sweep()
        for call in sweep.numbers(below: 10_000, step: 9) {
            let disk = MemoryFileSystem(image)
            let process = ProcessFileSystem(disk) { $0 >= call ? .killed : .works }
            var isMade = false
            _ = Result {
                try archive(on: process)
                isMade = true
            }
            let isDead = process.isDead
            process.kill()
            try expectSound(disk, isMade: isMade, "killed before call \(call), \(sweep)")
            if !isDead { return #expect(process.calls > 50) }
        }
        Issue.record("more calls than expected")
    }

    @Test(arguments: Sweep.cases([Errno.noSpace, .ioError], sample: 1))
    func archiveThatFailsLeavesNothing(_ code: Errno) throws {
        let image = try Tree.large.disk(.rewrite)
        var sweep = Sweep(for: code)
        for call in sweep.numbers(below: 10_000, step: 9) {
            let disk = MemoryFileSystem(image)
            let process = ProcessFileSystem(disk) { $0 == call ? .fails(code) : .works }
            let comment: Comment = "call \(call) fails with \(code), \(sweep)"
            var isMade = false
            do {
                try archive(on: process)
                isMade = true
            } catch let error as DirectoryError {
                #expect([.noSpace, .ioFailure].contains(error.code), "\(error), \(comment)")
                let parent = try disk.unlessMissing { try disk.openFolder(at: "/backups") }
                #expect(try parent.map(disk.list).map(\.isEmpty) != false, comment)
            }
            try expectSound(disk, isMade: isMade, comment)
            if process.calls <= call { return #expect(process.calls > 50) }
        }
        Issue.record("more calls than expected")
    }

    @Test(arguments: Sweep.cases(PowerLoss.Profile.allCases, sample: 1))
    func archiveStaysAfterAPowerLoss(_ profile: PowerLoss.Profile) throws {
        let random = SeededGenerator()
        let disk = RecordedDisk(try Tree.large.disk(.rewrite))
        try archive(on: ProcessFileSystem(disk))
        disk.acknowledge()
        let loss = PowerLoss(disk, profile)
        let effort = PowerLoss.Effort.sampled(
            exhaustive: TestSize.choose(sample: 1, gate: 3, full: 6),
            samples: TestSize.choose(sample: 1, gate: 4, full: 32), tears: 1)
        var sweep = Sweep(for: profile)
        let moments = sweep.numbers(below: disk.moment, step: 36) + [disk.moment]
        var checked: Set<MemoryFileSystem.Image> = []
        loss.forEachState(at: moments, effort, seed: random.seed) { state in
            guard checked.insert(state.image).inserted else { return }
            let isMade = loss.acknowledgements(at: state.moment) > 0
            let comment: Comment = "\(profile), moment \(state.moment), \(random)"
            #expect(throws: Never.self, comment) {
                try expectSound(MemoryFileSystem(state.image), isMade: isMade, comment)
            }
        }
        #expect(!checked.isEmpty)
    }

    @Test func restoringFromAnArchiveIsAllOrNothing() throws {
        let start = MemoryFileSystem(try Tree.large.disk(.rewrite))
        try archive(on: ProcessFileSystem(start))
        let changed = try Session(on: ProcessFileSystem(start), .rewrite)
        try changed.projects.remove(id: 4)
        try changed.notes(in: [3]).append(.milk)
        changed.waitForBackground()
        let before = try changed.tree()
        let image = start.image
        var sweep = Sweep()
        for call in sweep.numbers(below: 10_000, step: 24) {
            let disk = MemoryFileSystem(image)
            let process = ProcessFileSystem(disk) { $0 >= call ? .killed : .works }
            var isDone = false
            _ = Result {
                try Session(on: process, .rewrite).projects.restore(from: Self.archive)
                isDone = true
            }
            let isDead = process.isDead
            process.kill()
            try disk.buryOwners()
            let store = try Session(on: ProcessFileSystem(disk), .rewrite)
            let found = try store.tree()
            let comment: Comment = "killed before call \(call), \(sweep)"
            #expect(found == Tree.large.visible || !isDone && found == before, comment)
            #expect(try store.findings() == [], comment)
            store.waitForBackground()
            #expect(disk.image.leftovers == [], comment)
            if !isDead { return }
        }
        if TestSize.current == .full { Issue.record("more calls than expected") }
    }
}
