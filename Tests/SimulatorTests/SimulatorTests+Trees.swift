import Foundation
import TestSupport
import Testing

/// Loses power in writes that change several collections, which must all change or none.
extension SimulatorTests {
    @Test(.enabled(if: argument == nil)) func powerLossLeavesAllOrNothingOfTreeWrites() throws {
        let size = Size.current.forTreeWrites
        try check("tree writes", size) { try $0.run(size.treeWrites) }
    }

    @Test(.enabled(if: argument == nil))
    func killThenRecoveryThenPowerLossLeavesAllOrNothingOfTreeWrites() throws {
        let size = Size.current.forKills
        try check("kills of tree writes", size) { try $0.runKills(size.treeWrites) }
    }

    private func check(_ name: String, _ size: Size, _ run: (Simulator) throws -> Tally) throws {
        let (start, processors) = (ContinuousClock.now, clock())
        let tally = try run(Simulator(size, seed: SeededGenerator().seed))
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
}
