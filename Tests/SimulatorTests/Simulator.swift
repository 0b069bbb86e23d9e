import Dispatch
import FileSystem
import Foundation
import Synchronization
import TestSupport

/// Simulates workloads on all cores.
struct Simulator: Sendable {
    let size: Size
    let seed: UInt64
    /// The disk that each kind of workload begins with.
    private let disks: [Commits: MemoryFileSystem.Image]

    init(_ size: Size, seed: UInt64) throws {
        self.size = size
        self.seed = seed
        var disks: [Commits: MemoryFileSystem.Image] = [:]
        for commits in Commits.allCases { disks[commits] = try Store.disk(commits) }
        self.disks = disks
    }

    func run(_ workloads: [Workload], only name: StateName? = nil) throws -> Tally {
        let outcome = Mutex(Result<Tally, any Error>.success(Tally()))
        let next = Atomic(0)
        let group = DispatchGroup()
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
            group.enter()
            // A thread of its own, because what the store does behind its changes needs the
            // threads of the queues.
            Thread.detachNewThread {
                defer { group.leave() }
                while true {
                    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard number < workloads.count else { return }
                    let result = Result { try tally(of: workloads[number], only: name) }
                    outcome.withLock { outcome in
                        outcome = Result { try outcome.get() + result.get() }
                    }
                }
            }
        }
        group.wait()
        return try outcome.withLock { $0 }.get()
    }

    private func tally(of workload: Workload, only name: StateName?) throws -> Tally {
        guard let disk = disks[workload.commits] else { return Tally() }
        var simulation = Simulation(
            workload, try Recording(workload, from: disk), size, seed: seed, only: name)
        simulation.run()
        return simulation.tally
    }
}
