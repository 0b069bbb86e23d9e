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
        try check("simulator", size) { try $0.run(size.workloads) }
    }

    @Test(.enabled(if: argument == nil))
    func powerLossTakesOnlyTheNewestChangesOfARelaxedCollection() throws {
        let size = Size.current
        try check("relaxed", size) { try $0.run(size.relaxed) }
    }

    @Test(.enabled(if: argument == nil))
    func killThenRecoveryThenPowerLossBreaksNoPromise() throws {
        let size = Size.current.forKills
        try check("kills", size) { try $0.runKills(size.workloads) }
    }

    /// Expects that `run` finds no failure, and prints what it has tried.
    func check(_ name: String, _ size: Size, _ run: (Simulator) throws -> Tally) throws {
        let seed = SeededGenerator().seed
        let (start, processors) = (ContinuousClock.now, clock())
        let tally = try run(Simulator(size, seed: seed))
        print(
            "\(name): \(size.name), \(tally.states) states, \(tally.disks) different disks,",
            "\(tally.recoveryStates) states in recovery,",
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
