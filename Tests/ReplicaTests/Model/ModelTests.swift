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
            .init(devices: 5, steps: TestSize.choose(sample: 7, gate: 35, full: 70), crashes: 0)
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
        case .mixed: TestSize.choose(sample: 1, gate: 2, full: 100_000)
        case .five: TestSize.choose(sample: 1, gate: 1, full: 10_000)
        default: TestSize.choose(sample: 1, gate: 1, full: 30_000)
        }
    }
}

@Suite struct ModelTests {
    /// One life to play again: `MODEL=bits:1852151350` in the environment.
    private static let given: (life: Life, seed: UInt64)? = {
        let parts = ProcessInfo.processInfo.environment["MODEL"]?.split(separator: ":") ?? []
        guard parts.count == 2, let life = Life(rawValue: String(parts[0])),
            let seed = UInt64(parts[1])
        else { return nil }
        return (life, seed)
    }()

    @Test(arguments: given.map { [$0.life] } ?? Sweep.cases(Life.allCases, sample: 3))
    func randomDevicesAgreeAndLoseNothing(_ life: Life) throws {
        var random = SeededGenerator(named: life.rawValue)
        let seeds =
            Self.given.map { [$0.seed] } ?? (0..<life.count).map { _ in random.next() >> 32 }
        var total = Model.Counts()
        // A single life can end before anybody sees a change of another device: then others follow.
        let more = Self.given == nil ? (0..<9).map { _ in random.next() >> 32 } : []
        for (number, seed) in (seeds + more).enumerated() {
            if number >= seeds.count, total.shown > 0 { break }
            do {
                var model = try Model(seed: seed, life.settings)
                try model.run()
                total += model.counts
            } catch {
                Issue.record("MODEL=\(life.rawValue):\(seed): \(error)")
            }
        }
        print("model \(life): \(seeds.count) runs, \(total)")
        #expect(total.writes > 0 && total.shown > 0)
    }
}
