import Foundation
import TestSupport
import Testing

/// Loses power at the moments of short workloads; `SIMULATOR` is the name of one state that is to be
/// built again.
@Suite(.serialized) struct SimulatorTests {
    static let argument = ProcessInfo.processInfo.environment["SIMULATOR"]
    static let state = argument.flatMap(StateName.init)

    @Test(.enabled(if: argument == nil)) func powerLossBreaksNoPromise() throws {
        let size = Size.current
        let seed = SeededGenerator().seed
        let (start, processors) = (ContinuousClock.now, clock())
        let tally = try Simulator(size, seed: seed).run(size.workloads)
        print(
            "simulator: \(size.name), \(tally.states) states, \(tally.disks) different disks,",
            "\(tally.recoveryStates) states in recovery,",
            "\((ContinuousClock.now - start).components.seconds) s,",
            "of processors \((clock() - processors) / 1_000_000) s"
        )
        #expect(tally.states > 0)
        #expect(tally.failures.isEmpty, "\(tally.failures.count) failures")
        for failure in tally.failures.prefix(20) { Issue.record("\(failure)") }
    }

    @Test(.enabled(if: argument == nil))
    func killThenRecoveryThenPowerLossBreaksNoPromise() throws {
        let size = Size.current.forKills
        let seed = SeededGenerator().seed
        let (start, processors) = (ContinuousClock.now, clock())
        let tally = try Simulator(size, seed: seed).runKills(size.workloads)
        print(
            "kills: \(size.name), \(tally.states) states, \(tally.disks) different disks,",
            "\((ContinuousClock.now - start).components.seconds) s,",
            "of processors \((clock() - processors) / 1_000_000) s"
        )
        #expect(tally.states > 0)
        #expect(tally.failures.isEmpty, "\(tally.failures.count) failures")
        for failure in tally.failures.prefix(20) { Issue.record("\(failure)") }
    }

    @Test(.enabled(if: argument != nil)) func namedStateBreaksNoPromise() throws {
        let name = try #require(Self.state, "\(Self.argument ?? "") is not a state")
        let all = try #require(Size.all.first { $0.name == name.size })
        let size = name.succession == nil ? all : all.forKills
        let tally = try Simulator(size, seed: name.seed).run([name.workload], only: name)
        #expect(tally.states > 0, "no state has this name")
        for failure in tally.failures { Issue.record("\(failure)") }
    }
}
