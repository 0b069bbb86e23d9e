import Foundation
import Testing
import TestSupport

@Suite struct ModelTests {
    @Test func randomDevicesAgreeAndLoseNothing() throws {
        let count = TestSize.choose(sample: 1, gate: 60, full: 100_000)
        try run(count, "mixed") { _ in .init() }
    }

    @Test func devicesThatOnlyCrash() throws {
        let count = TestSize.choose(sample: 1, gate: 40, full: 30_000)
        try run(count, "crashes") { _ in
            .init(crashes: 0.8, restores: false, hasLateDevice: false)
        }
    }

    @Test func fiveDevicesWithoutCrashes() throws {
        let count = TestSize.choose(sample: 1, gate: 10, full: 10_000)
        let steps = TestSize.choose(sample: 7, gate: 70, full: 70)
        try run(count, "five") { _ in .init(devices: 5, steps: steps, crashes: 0) }
    }

    @Test func photosThatMoveAndGetOtherFiles() throws {
        let count = TestSize.choose(sample: 1, gate: 12, full: 30_000)
        try run(count, "photos") { _ in .init(editsPhotos: true) }
    }

    @Test func indexesThatCannotBeReadForAWhile() throws {
        let count = TestSize.choose(sample: 1, gate: 12, full: 30_000)
        try run(count, "damage") { _ in .init(editsPhotos: true, damage: 0.3) }
    }

    @Test func filesThatCannotBeReadForAWhile() throws {
        let count = TestSize.choose(sample: 1, gate: 12, full: 30_000)
        try run(count, "files") { _ in .init(editsPhotos: true, unreadableFiles: 0.2) }
    }

    @Test func filesThatArriveDamaged() throws {
        let count = TestSize.choose(sample: 1, gate: 12, full: 30_000)
        try run(count, "bits") { _ in .init(editsPhotos: true, flippedBits: 0.2) }
    }

    @Test func filesThatAreLostAndFoldersOfOthers() throws {
        let count = TestSize.choose(sample: 1, gate: 12, full: 30_000)
        try run(count, "losses") { _ in
            .init(editsPhotos: true, lostFiles: 0.3, wrongNetworks: 0.1)
        }
    }

    @Test func albumsThatMoveWhileOthersRemoveTheirProjects() throws {
        let count = TestSize.choose(sample: 1, gate: 20, full: 30_000)
        try run(count, "albums") { _ in
            .init(crashes: 0.1, restores: false, forgets: false, movedAlbums: 0.4)
        }
    }

    private func run(
        _ count: Int, _ name: String, _ settings: (UInt64) -> Model.Settings
    ) throws {
        var random = SeededGenerator(named: name)
        var total = Model.Counts()
        for _ in 0..<count {
            let seed =
                ProcessInfo.processInfo.environment["MODEL"].flatMap(UInt64.init)
                ?? (random.next() >> 32)
            do {
                var model = try Model(seed: seed, settings(seed))
                try model.run()
                total.writes += model.counts.writes
                total.crashes += model.counts.crashes
                total.conflicts += model.counts.conflicts
                total.shown += model.counts.shown
                total.breaks += model.counts.breaks
            } catch {
                Issue.record("\(name), seed \(seed): \(error)")
            }
        }
        print("model \(name): \(count) runs, \(total)")
        #expect(total.writes > 0 && total.shown > 0)
    }
}
