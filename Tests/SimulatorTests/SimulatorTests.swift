import Foundation
import TestSupport
import Testing

/// Loses power at the moments of short workloads; `SIMULATOR` is the number of states after which each test ends, or the
/// name of one state that is to be built again.
@Suite(.serialized) struct SimulatorTests {
    static let argument = ProcessInfo.processInfo.environment["SIMULATOR"]
    static let state = argument.flatMap(StateName.init)
    static let count = argument.flatMap { Int($0) }
    /// Whether one state is to be built again.
    static let buildsOne = argument != nil && count == nil

    @Test(.enabled(if: !buildsOne)) func powerLossBreaksNoPromise() throws {
        let size = Size.current
        try check("simulator", size, size.workloads) { try $0.run($1) }
    }

    @Test(.enabled(if: !buildsOne))
    func powerLossTakesOnlyTheNewestChangesOfARelaxedCollection() throws {
        let size = Size.current.forTreeWrites
        try check("relaxed", size, size.relaxed) { try $0.run($1) }
    }

    @Test(.enabled(if: !buildsOne))
    func killThenRecoveryThenPowerLossBreaksNoPromise() throws {
        let size = Size.current.forKills
        try check("kills", size, size.workloads) { try $0.runKills($1) }
    }

    /// Expects that `run` finds no failure in `workloads`, and prints what it has tried.
    func check(
        _ name: String, _ size: Size, _ workloads: [Workload],
        _ run: (Simulator, [Workload]) throws -> Tally
    ) throws {
        var random = SeededGenerator()
        let seed = random.seed
        let (start, processors) = (ContinuousClock.now, clock())
        var tally = Tally()
        if let count = Self.count {
            // Few at a time, each killed once, because one workload can have very many states.
            let atOnce = ProcessInfo.processInfo.activeProcessorCount
            var size = size
            size.kills = 1
            // A round without states is the last one.
            var before = -1
            while tally.states < count, tally.states > before {
                before = tally.states
                let simulator = try Simulator(size, seed: random.next())
                var left = workloads.shuffled(using: &random)[...]
                while tally.states < count, !left.isEmpty {
                    tally = tally + (try run(simulator, Array(left.prefix(atOnce))))
                    left = left.dropFirst(atOnce)
                }
            }
        } else {
            tally = try run(Simulator(size, seed: seed), workloads)
        }
        print(
            "\(name): \(size.name), \(tally.states) states, \(tally.disks) different disks,",
            "\(tally.recoveryStates) states in recovery,",
            "\((ContinuousClock.now - start).components.seconds) s,",
            "of processors \((clock() - processors) / 1_000_000) s"
        )
        #expect(tally.states > 0)
        // Of few different disks, perhaps none is to be recovered.
        let mayRecoverNone = size.length == 1 || size.recoveries == .max || tally.disks < 100
        #expect(mayRecoverNone || tally.recoveryStates > 0)
        #expect(tally.failures.isEmpty, "\(tally.failures.count) failures")
        for failure in tally.failures.prefix(20) { Issue.record("\(failure)") }
    }

    @Test(.enabled(if: buildsOne)) func namedStateBreaksNoPromise() throws {
        let name = try #require(Self.state, "\(Self.argument ?? "") is not a state")
        let all = try #require(Size.all.first { $0.name == name.size })
        let size = name.succession == nil ? all : all.forKills
        let tally = try Simulator(size, seed: name.seed).run([name.workload], only: name)
        #expect(tally.states > 0, "no state has this name")
        for failure in tally.failures { Issue.record("\(failure)") }
    }
}
