import Directory
import FileSystem
import Foundation
import TestSupport
import Testing

/// Loses power after each step of each change, with every subset of what was not synced.
@Suite struct PowerLossTests {
    @Test(arguments: Scenario.all, PowerLoss.Profile.allCases)
    func eachChangeIsAllOrNothing(_ scenario: Scenario, _ profile: PowerLoss.Profile) throws {
        let seed = UInt64(ProcessInfo.processInfo.environment["SEED"] ?? "") ?? 1
        var random = SeededGenerator(seed: seed)
        let outcome = try Outcome(of: scenario)
        let (before, after) = (outcome.before, outcome.after)
        let disk = RecordedDisk(outcome.disk)
        let store = try scenario.store(on: disk)
        try scenario.change.make(in: store)
        disk.acknowledge()
        try store.finish()

        let loss = PowerLoss(disk, profile)
        var seen: Set<MemoryFileSystem.Image> = []
        var count = 0
        for moment in Sweep.numbers(below: loss.moments.upperBound + 1, step: 9) {
            let allowed = loss.isAcknowledged(at: moment) ? [after] : [before, after]
            try loss.forEachState(at: moment, samples: 256, using: &random) { image in
                count += 1
                guard seen.insert(image).inserted || allowed.count == 1 else { return }
                let place: Comment = "\(scenario), \(profile), moment \(moment), SEED=\(seed)"
                let reopened = try scenario.store(on: MemoryFileSystem(image))
                let world = try reopened.world()
                #expect(allowed.contains(world), "\(place): \(world)")
                #expect(try reopened.findings() == [], place)
            }
        }
        print("power loss: \(scenario), \(profile): \(count) states, \(seen.count) different")
    }
}
