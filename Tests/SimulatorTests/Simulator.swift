import FileSystem
import StoreModel
import Synchronization
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
        let outcome = Mutex(Result<Tally, any Error>.success(Tally()))
        onAllCores(workloads) { workload in
            let result = Result { try tally(of: workload, only: name) }
            outcome.withLock { outcome in outcome = Result { try outcome.get() + result.get() } }
        }
        return try outcome.withLock { $0 }.get()
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
