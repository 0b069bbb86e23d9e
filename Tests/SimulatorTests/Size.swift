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
    /// The most moments at which the process of a workload is killed.
    var kills = 1

    static let sample = Size(
        name: "sample", length: 1, effort: .init(exhaustive: 3, samples: 1, tears: 2, limit: 4),
        step: 21, recoveries: 30)
    static let gate = Size(
        name: "gate", length: 2, effort: .init(exhaustive: 6, samples: 3, tears: 4),
        step: 15, recoveries: 14)
    static let full = Size(
        name: "full", length: 3, effort: .init(exhaustive: 8, samples: 16, tears: 8),
        recoveries: 100, kills: .max)
    static let all = [sample, gate, full]
    static let current = TestSize.choose(sample: sample, gate: gate, full: full)

    /// 16 random workloads of one operation and 4 longer ones; in a sample 2, in the full size all.
    var workloads: [Workload] {
        var sweep = Sweep()
        let all = Workload.all(upTo: length)
        let longer = all.filter { $0.operations.count > 1 }
        return Sweep.cases(all.filter { $0.operations.count == 1 }, sample: 2, gate: 16)
            + sweep.some(longer, 4)
    }

    /// The workloads that write to several collections: 4 random ones of one operation, and 2 longer ones; in a sample
    /// 1, in the full size all.
    var treeWrites: [Workload] {
        var sweep = Sweep()
        let all = Workload.treeWrites(upTo: length)
        return Sweep.cases(all.filter { $0.operations.count == 1 }, sample: 1, gate: 4)
            + sweep.some(all.filter { $0.operations.count > 1 }, 2)
    }

    /// The workloads that change relaxed collections, of one operation more than others; in a sample 1, in the gate 6,
    /// in the full size all.
    var relaxed: [Workload] {
        var sweep = Sweep()
        let all = Workload.relaxed(upTo: min(length + 1, 3))
        return Array(sweep.some(all, length == 1 ? 8 : 6))
    }

    /// The same for writes to several collections, most of whose moments have many states.
    var forTreeWrites: Size {
        var size = self
        if length < 3 { size.step = length == 1 ? 28 : 50 }
        if length < 3 { size.recoveries = length == 1 ? 400 : 8 }
        return size
    }

    /// The same for the kills of processes: workloads have at most two operations, and fewer
    /// combinations of what was not synced are built, because most of them do not differ.
    var forKills: Size {
        var size = self
        size.length = min(length, 2)
        size.effort = .init(
            exhaustive: 3, samples: 1, tears: 1, limit: self.length == 1 ? 3 : .max)
        size.recoveries = .max
        if self.length < 3 { size.step = self.length == 1 ? 40 : 100 }
        return size
    }

    /// The same for mutants, whose recordings have no events of lock files: so many states are
    /// checked that no mutant is caught by chance.
    var forMutants: Size {
        var size = self
        size.effort = .init(exhaustive: 10, samples: 32, tears: 4)
        size.step = 1
        size.recoveries = .max
        return size
    }

    /// The same for mutants of writes to several collections, whose moments have more states.
    var forMutantsOfTreeWrites: Size {
        var size = forMutants
        size.effort = .init(exhaustive: 6, samples: 24, tears: 2)
        return size
    }
}
