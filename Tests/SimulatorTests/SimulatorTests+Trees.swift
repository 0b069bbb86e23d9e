import Foundation
import TestSupport
import Testing

/// Loses power in writes that change several collections, which must all change or none.
extension SimulatorTests {
    @Test(.enabled(if: !buildsOne)) func powerLossLeavesAllOrNothingOfTreeWrites() throws {
        let size = Size.current.forTreeWrites
        try check("tree writes", size, size.treeWrites) { try $0.run($1) }
    }

    @Test(.enabled(if: !buildsOne))
    func killThenRecoveryThenPowerLossLeavesAllOrNothingOfTreeWrites() throws {
        let size = Size.current.forKills
        try check("kills of tree writes", size, size.treeWrites) { try $0.runKills($1) }
    }
}
