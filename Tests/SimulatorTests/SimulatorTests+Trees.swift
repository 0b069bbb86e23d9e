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
}
