import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// A sync fails, and what it was to write is lost, although later syncs of the same file succeed.
///
/// Source: A. Rebello et al., "Can Applications Recover from fsync Failures?", USENIX ATC 2020.
@Suite(.timeLimit(.minutes(30))) struct LostSyncTests {
    /// What a process changes, and whether it is killed when the sync has failed.
    struct Scenario: CustomTestStringConvertible {
        var isTree: Bool
        var isKilled: Bool
        /// Whether the next process knows that the killed one has ended; if not, it knows only of what is unfinished.
        var isKnownDead = true
        var journalThreshold: Int

        static let all = [0, 1_000_000].flatMap { threshold in
            [
                Scenario(isTree: false, isKilled: false, journalThreshold: threshold),
                Scenario(isTree: false, isKilled: true, journalThreshold: threshold),
                Scenario(isTree: true, isKilled: false, journalThreshold: threshold),
                Scenario(isTree: true, isKilled: true, journalThreshold: threshold),
                // A commit of one collection leaves nothing unfinished.
                Scenario(
                    isTree: true, isKilled: true, isKnownDead: false, journalThreshold: threshold),
            ]
        }

        var testDescription: String {
            "\(isTree ? "two collections" : "one"), \(isKilled ? isKnownDead ? "killed" : "killed, not known" : "goes on"), \(journalThreshold)"
        }

        private func boxes(on fileSystem: any FileSystem) throws -> Directory<Box> {
            var options = DirectoryOptions()
            options.journalThreshold = journalThreshold
            options.journalTime = nil
            return try Directory<Box>(
                at: URL(filePath: "/"), index: "boxes.json", options: options, on: fileSystem)
        }

        func start() throws -> MemoryFileSystem.Image {
            let disk = MemoryFileSystem()
            let boxes = try boxes(on: ProcessFileSystem(disk))
            try boxes.append(contentsOf: (1...2).map { Box(id: $0, folderName: "\($0)") })
            for id in 1...2 { try boxes.child(.notes, of: id).append(.milk) }
            return disk.image
        }

        /// Makes the changes with `numbers`, and calls `end` before the collections are released, which would write their
        /// journals into their indexes.
        ///
        /// - Returns: The numbers of those that returned.
        func change(
            _ numbers: ClosedRange<Int>, on process: ProcessFileSystem, end: () -> Void = {}
        ) throws -> Set<Int> {
            let boxes = try boxes(on: process)
            let notes = try (1...2).map { try boxes.child(.notes, of: $0) }
            defer {
                end()
                withExtendedLifetime((boxes, notes)) {}
            }
            return Set(
                numbers.filter { number in
                    let note = Note(id: number, title: "Note")
                    let result = Result {
                        guard isTree else { return try notes[0].append(note) }
                        try boxes.write { draft in
                            for id in 1...2 {
                                try draft.write(.notes, of: id) { try $0.append(note) }
                            }
                        }
                    }
                    return (try? result.get()) != nil && !process.isDead
                })
        }

        /// The numbers in each of the two collections.
        func numbers(on disk: MemoryFileSystem) throws -> [Set<Int>] {
            let boxes = try boxes(on: ProcessFileSystem(disk))
            try boxes.load()
            return try (1...2).map { id in
                let notes = try boxes.child(.notes, of: id)
                try notes.load()
                return Set(notes.items.map(\.id)).subtracting([Note.milk.id])
            }
        }
    }

    @Test(arguments: Sweep.cases(Scenario.all, sample: 1, gate: 3))
    func acknowledgedChangesSurviveTheNextPowerLoss(_ scenario: Scenario) throws {
        let image = try scenario.start()
        let whole = ProcessFileSystem(MemoryFileSystem(image))
        _ = try scenario.change(101...104, on: whole)
        let count = whole.log.count { $0.hasPrefix("sync") }
        var sweep = Sweep(for: scenario.testDescription)
        for number in sweep.numbers(below: count, step: 8) {
            let disk = RecordedDisk(image)
            let syncs = Mutex(0)
            let process = ProcessFileSystem(disk) { _, call in
                syncs.withLock { syncs in
                    if scenario.isKilled, syncs > number { return .killed }
                    guard call.hasPrefix("sync") else { return .works }
                    syncs += 1
                    return syncs == number + 1 ? .failsHalfway(.ioError) : .works
                }
            }
            var done = (try? scenario.change(101...104, on: process) { process.kill() }) ?? []
            if scenario.isKnownDead { try disk.buryOwners() }
            var moment = 0
            let last = try scenario.change(105...105, on: ProcessFileSystem(disk)) {
                moment = disk.events.count
            }
            #expect(last == [105], "sync \(number) failed, \(sweep)")
            done.formUnion(last)
            for profile in PowerLoss.Profile.allCases {
                try PowerLoss(disk, profile).forEachState(
                    at: [moment], .init(exhaustive: 2, samples: 2, tears: 1), seed: 1
                ) { state in
                    let found = try scenario.numbers(on: MemoryFileSystem(state.image))
                    let comment: Comment =
                        "sync \(number) failed, \(profile), state \(state.number), \(sweep)"
                    #expect(found[0].isSuperset(of: done), comment)
                    #expect(!scenario.isTree || found[0] == found[1], comment)
                }
            }
        }
    }
}
