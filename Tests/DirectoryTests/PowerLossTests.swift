import Directory
import FileSystem
import Foundation
import TestSupport
import Testing

/// Loses power after each step of each change, with every subset of what was not synced.
@Suite struct PowerLossTests {
    @Test(arguments: Change.allCases, PowerLoss.Profile.allCases)
    func eachChangeIsAllOrNothing(_ change: Change, _ profile: PowerLoss.Profile) throws {
        let seed = UInt64(ProcessInfo.processInfo.environment["SEED"] ?? "") ?? 1
        var random = SeededGenerator(seed: seed)
        let outcome = try Outcome(of: change)
        let (before, after) = (outcome.before, outcome.after)
        let disk = RecordedDisk(outcome.disk)
        let store = try Store(on: disk)
        try change.make(in: store)
        disk.acknowledge()
        try store.finish()

        let loss = PowerLoss(disk, profile)
        var seen: Set<MemoryFileSystem.Image> = []
        var count = 0
        for moment in Sweep.numbers(below: loss.moments.upperBound + 1, step: 5) {
            let allowed = loss.isAcknowledged(at: moment) ? [after] : [before, after]
            try loss.forEachState(at: moment, samples: 256, using: &random) { image in
                count += 1
                guard seen.insert(image).inserted || allowed.count == 1 else { return }
                let place: Comment = "\(change), \(profile), moment \(moment), SEED=\(seed)"
                let reopened = try Store(on: MemoryFileSystem(image))
                let world = try reopened.world()
                #expect(allowed.contains(world), "\(place): \(world)")
                #expect(try reopened.findings() == [], place)
            }
        }
        print("power loss: \(change), \(profile): \(count) states, \(seen.count) different")
    }
}
