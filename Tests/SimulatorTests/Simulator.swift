import FileSystem
import StoreModel
import TestSupport

/// Simulates workloads on all cores.
struct Simulator: Sendable {
    let size: Size
    let seed: UInt64
    private let disks: [CommitMode: MemoryFileSystem.Image]

    init(_ size: Size, seed: UInt64) throws {
        self.size = size
        self.seed = seed
        var disks: [CommitMode: MemoryFileSystem.Image] = [:]
        for mode in CommitMode.allCases { disks[mode] = try Tree.small.disk(mode) }
        self.disks = disks
    }

    /// The disk that workloads with `mode` start with.
    func disk(_ mode: CommitMode) -> MemoryFileSystem.Image {
        disks[mode] ?? MemoryFileSystem().image
    }

    func run(_ workloads: [Workload], only name: StateName? = nil) throws -> Tally {
        try onAllCores(workloads) { try tally(of: $0, only: name) }.reduce(Tally(), +)
    }

    private func tally(of workload: Workload, only name: StateName?) throws -> Tally {
        let recording = try Recording(workload, from: disk(workload.mode))
        if let succession = name?.succession {
            return try tally(of: workload, recording, succession, only: name)
        }
        var simulation = Simulation(workload, recording, size, seed: seed, only: name)
        simulation.run()
        return simulation.tally
    }
}
