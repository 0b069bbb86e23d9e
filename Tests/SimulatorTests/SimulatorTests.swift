import Foundation
import TestSupport
import Testing

/// Loses power at every moment of every short workload; `SIMULATOR` says how thoroughly.
@Suite(.serialized) struct SimulatorTests {
    static let argument = ProcessInfo.processInfo.environment["SIMULATOR"] ?? "small"

    @Test func noPowerLossBreaksAPromise() throws {
        guard let size = Size.all.first(where: { $0.name == Self.argument }) else {
            return #expect(StateName(Self.argument) != nil, "that is neither a size nor a state")
        }
        let seed = SeededGenerator().seed
        let (start, processors) = (ContinuousClock.now, clock())
        let tally = try Simulator(size, seed: seed).run(Workload.all(upTo: size.length))
        print(
            "simulator: \(size.name), \(tally.states) states, \(tally.disks) different disks,",
            "\(tally.recoveryStates) states in recovery,",
            "\((ContinuousClock.now - start).components.seconds) s,",
            "of processors \((clock() - processors) / 1_000_000) s"
        )
        #expect(tally.failures.isEmpty, "\(tally.failures.count) failures")
        for failure in tally.failures.prefix(20) { Issue.record("\(failure)") }
    }

    @Test(.enabled(if: StateName(argument) != nil)) func aStateIsBuiltAgain() throws {
        let name = try #require(StateName(Self.argument))
        let size = try #require(Size.all.first { $0.name == name.size })
        let tally = try Simulator(size, seed: name.seed).run([name.workload], only: name)
        #expect(tally.states > 0, "there is no such state")
        for failure in tally.failures { Issue.record("\(failure)") }
    }
}
