import Foundation
import Testing
import TestSupport

/// What happens to devices, beside edits and syncs.
enum Life: String, CaseIterable {
    case mixed, crashes, five, photos, damage, files, bits, losses, albums

    var settings: Model.Settings {
        switch self {
        case .mixed: .init()
        case .crashes: .init(crashes: 0.8, restores: false, hasLateDevice: false)
        case .five:
            .init(devices: 5, steps: TestSize.choose(sample: 7, gate: 70, full: 70), crashes: 0)
        case .photos: .init(editsPhotos: true)
        case .damage: .init(editsPhotos: true, damage: 0.3)
        case .files: .init(editsPhotos: true, unreadableFiles: 0.2)
        case .bits: .init(editsPhotos: true, flippedBits: 0.2)
        case .losses: .init(editsPhotos: true, lostFiles: 0.3, wrongNetworks: 0.1)
        case .albums: .init(crashes: 0.1, restores: false, forgets: false, movedAlbums: 0.4)
        }
    }

    /// How many lives are tried.
    var count: Int {
        switch self {
        case .mixed: TestSize.choose(sample: 1, gate: 20, full: 100_000)
        case .five: TestSize.choose(sample: 1, gate: 4, full: 10_000)
        default: TestSize.choose(sample: 1, gate: 8, full: 30_000)
        }
    }
}

@Suite struct ModelTests {
    /// `MODEL` in the environment is the seed of one life, to play it again.
    @Test(arguments: Sweep.cases(Life.allCases, sample: 3))
    func randomDevicesAgreeAndLoseNothing(_ life: Life) throws {
        let given = ProcessInfo.processInfo.environment["MODEL"].flatMap(UInt64.init)
        var random = SeededGenerator(named: life.rawValue)
        let seeds = given.map { [$0] } ?? (0..<life.count).map { _ in random.next() >> 32 }
        var total = Model.Counts()
        for seed in seeds {
            do {
                var model = try Model(seed: seed, life.settings)
                try model.run()
                total += model.counts
            } catch {
                Issue.record("\(life), seed \(seed): \(error)")
            }
        }
        print("model \(life): \(seeds.count) runs, \(total)")
        #expect(total.writes > 0 && total.shown > 0)
    }
}
