import TestSupport

/// How many states a run of the simulator checks.
struct Size: Sendable {
    var name: String
    /// The largest number of operations in a workload.
    var length: Int
    var effort: PowerLoss.Effort
    /// The distance between the moments at which power is lost.
    var step = 1
    /// One of so many disks loses power again while it is recovered.
    var recoveries: Int

    /// What each `swift test` can afford.
    static let small = Size(
        name: "small", length: 1, effort: .init(exhaustive: 3, samples: 1, tears: 2), step: 7,
        recoveries: 32)
    static let ci = Size(
        name: "ci", length: 2, effort: .init(exhaustive: 6, samples: 4, tears: 4), recoveries: 100)
    static let full = Size(
        name: "full", length: 3, effort: .init(exhaustive: 8, samples: 16, tears: 8),
        recoveries: 100)
    static let all = [small, ci, full]

    /// The same for mutants, whose recordings have no events of lock files: so many states are
    /// checked that no mutant is caught by chance.
    var forMutants: Size {
        var size = self
        size.effort = .init(exhaustive: 10, samples: 32, tears: 4)
        size.step = 1
        size.recoveries = .max
        return size
    }
}
