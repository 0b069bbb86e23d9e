import FileSystem
import TestSupport

/// The protocol of a change, or of the recovery from a power loss during it, which is mutated step
/// by step.
struct MutableProtocol: Sendable {
    var commits: Commits
    /// The changes before it.
    var before: [Change] = []
    var change: Change
    var isRecovery = false

    /// The protocols of all changes, however they commit; the transfer of a photograph also to
    /// a box that had some before.
    static var all: [MutableProtocol] {
        let changes = Commits.allCases.flatMap { commits in
            Change.allCases.map { MutableProtocol(commits: commits, change: $0) } + [
                MutableProtocol(
                    commits: commits, before: [.transferPhoto], change: .transferPhoto)
            ]
        }
        return changes
            + changes.map { change in
                var recovery = change
                recovery.isRecovery = true
                return recovery
            }
    }

    /// One that has most kinds of steps.
    static let sample = [MutableProtocol(commits: .rewrite, change: .importPhotos)]

    /// Whether each mutant breaks a promise while its protocol goes on, or while another change
    /// after it is made; those that `isCaught` knows from elsewhere are not tried again.
    func mutants(
        _ simulator: Simulator, isCaught: (String) -> Bool
    ) throws -> [String: Bool] {
        let following = simulator.size.length > 1 ? Change.allCases : []
        var found: [String: Bool] = [:]
        for record in try isRecovery ? recoveries(simulator) : [recorder(simulator)] {
            guard let alone = try record(nil) else { continue }
            let mutants = Mutant.all(of: alone, naming: name)
            for mutant in mutants where found[mutant.description] != true {
                found[mutant.description] = isCaught(mutant.description)
            }
            for change in [nil] + following {
                guard mutants.contains(where: { found[$0.description] == false }),
                    let recording = try record(change)
                else { continue }
                var simulation = Simulation(
                    Workload(commits, []), recording, simulator.size, seed: simulator.seed)
                for mutant in mutants where found[mutant.description] == false {
                    found[mutant.description] = simulation.catches(mutant)
                }
            }
        }
        return found
    }

    /// A step with roles in place of names.
    private func name(_ step: String) -> String {
        Roles(in: change, isBack: change == before.last)(step)
    }
}

extension MutableProtocol {
    /// Records the protocol, with another change after it if that has something to work on.
    private typealias Recorder = (_ following: Change?) throws -> Recording?

    private func recorder(_ simulator: Simulator) -> Recorder {
        let disk = simulator.disk(commits)
        return { following in
            let workload = Workload(commits, before + [change] + (following.map { [$0] } ?? []))
            return try workload.isPossible
                ? Recording(workload, from: disk).withoutLocks : nil
        }
    }

    /// Recoveries that differ in what they do to a disk.
    private func recoveries(_ simulator: Simulator) throws -> [Recorder] {
        guard let recording = try recorder(simulator)(nil) else { return [] }
        var seen: Set<[String]> = []
        var recoveries: [Recorder] = []
        let loss = PowerLoss(recording.events, on: recording.start, .posix)
        let moments = recording.begin...recording.events.count
        try loss.forEachState(
            at: moments, .init(exhaustive: 0, samples: 0, tears: 0), seed: 0
        ) { state in
            let steps = try Recording(recovering: state.image, commits).withoutLocks.steps
            guard !steps.isEmpty, seen.insert(steps.map(name)).inserted else { return }
            recoveries.append { following in
                let recording = try Recording(
                    recovering: state.image, commits, then: following)
                return following == nil || recording.worlds.count > 1
                    ? recording.withoutLocks : nil
            }
        }
        return recoveries
    }
}
