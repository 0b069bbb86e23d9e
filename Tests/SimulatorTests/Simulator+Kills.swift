import FileSystem
import StoreModel
import TestSupport

extension Simulator {
    /// Kills the process of each workload at moments of its last operation, lets the next one go on with what can be seen,
    /// and then loses power.
    func runKills(_ workloads: [Workload]) throws -> Tally {
        try onAllCores(workloads) { try killTally(of: $0) }.reduce(Tally(), +)
    }

    private func killTally(of workload: Workload) throws -> Tally {
        let dead = try Recording(workload, from: disk(workload.mode))
        // Each workload is killed at other moments.
        let number = "\(workload)".utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
        var random = SeededGenerator(seed: seed &+ number)
        let moments = (dead.begin...dead.events.count).shuffled(using: &random)
        let operations = [nil] + Workload.simulated.map(Optional.some)
        var tally = Tally()
        for kill in moments.prefix(size.kills) {
            for operation in operations.shuffled(using: &random) {
                let succession = Succession(kill: kill, operation: operation)
                let states = try self.tally(of: workload, dead, succession)
                tally = tally + states
                // Some operations find nothing that they could change, and check no state.
                if states.states > 0 { break }
            }
        }
        return tally
    }

    /// Loses power at every moment after a kill, or builds one of the states again.
    func tally(
        of workload: Workload, _ dead: Recording, _ succession: Succession,
        only name: StateName? = nil
    ) throws -> Tally {
        do {
            guard let recording = try Recording(dead, killed: succession, workload.mode) else {
                return Tally()
            }
            var simulation = Simulation(
                workload, recording, size, seed: seed, succession, only: name)
            simulation.mostFailures = 1
            simulation.run()
            return simulation.tally
        } catch {
            let name = StateName(
                workload: workload, profile: .posix, moment: succession.kill, number: 0,
                seed: seed, size: size.name, succession: succession)
            return Tally(
                states: 1, failures: [Failure(state: name, message: "no power loss: \(error)")])
        }
    }
}
