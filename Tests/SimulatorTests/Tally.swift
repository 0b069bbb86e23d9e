/// A state that violates a promise, and how to build it again.
struct Failure: Sendable, CustomStringConvertible {
    let state: StateName
    let message: String

    var description: String { "\(message)\n\(state.command)" }
}

/// The numbers of checked states, and the failures among them.
struct Tally: Sendable {
    var states = 0
    /// The number of different disks, each of which was checked once.
    var disks = 0
    /// The number of states whose power was lost during recovery.
    var recoveryStates = 0
    var failures: [Failure] = []

    static func + (left: Tally, right: Tally) -> Tally {
        Tally(
            states: left.states + right.states, disks: left.disks + right.disks,
            recoveryStates: left.recoveryStates + right.recoveryStates,
            failures: left.failures + right.failures)
    }
}
