import TestSupport

extension Simulation {
    /// Whether a mutant of the recording breaks a promise.
    mutating func catches(_ mutant: Mutant) -> Bool {
        let sound = recording
        defer { recording = sound }
        recording = sound.mutated(by: mutant)
        mostFailures = 1
        for profile in PowerLoss.Profile.allCases {
            run(profile, at: recording.moments(where: mutant, differsFrom: sound, profile))
            if !tally.failures.isEmpty {
                tally.failures.removeAll()
                return true
            }
        }
        return false
    }
}

extension Recording {
    /// The moments of a mutated recording at which power loss may leave something else than it
    /// does in the sound one.
    fileprivate func moments(
        where mutant: Mutant, differsFrom sound: Recording, _ profile: PowerLoss.Profile
    ) -> [Int] {
        let before = PowerLoss(sound.events, on: sound.start, profile).waiting
        let now = PowerLoss(events, on: start, profile).waiting
        return (begin..<now.count).filter { moment in
            let same = mutant.kind == .without && moment > mutant.position ? moment + 1 : moment
            return now[moment] != before[same]
                || isAcknowledged(at: moment) != sound.isAcknowledged(at: same)
        }
    }
}

/// The protocol of a change, which is mutated step by step.
struct MutableProtocol: Sendable {
    var commits: Commits
    /// The changes before it.
    var before: [Change] = []
    var change: Change

    /// Each mutant, and whether it breaks a promise while the change is made, or while another
    /// one after it is; those that `isCaught` knows from another change are not tried again.
    func mutants(
        _ simulator: Simulator, isCaught: (Mutant) -> Bool
    ) throws -> [(mutant: Mutant, isCaught: Bool)] {
        let disk = simulator.disk(commits)
        let changes = before + [change]
        let alone = try Recording(Workload(commits, changes), from: disk).withoutLocks
        let mutants = Mutant.all(
            of: alone, naming: Roles(in: change, isBack: change == before.last))
        var areCaught = mutants.map(isCaught)
        let following = simulator.size.length > 1 ? Change.allCases.map { [$0] } : []
        for following in [[]] + following {
            let workload = Workload(commits, changes + following)
            guard workload.isPossible, areCaught.contains(false) else { continue }
            let recording = try Recording(workload, from: disk).withoutLocks
            var simulation = Simulation(
                workload, recording, simulator.size, seed: simulator.seed)
            for (number, mutant) in mutants.enumerated() where !areCaught[number] {
                areCaught[number] = simulation.catches(mutant)
            }
        }
        return Array(zip(mutants, areCaught))
    }
}

extension MutableProtocol {
    /// The protocols of all changes, however they commit; the transfer of a photograph also to
    /// a box that had some before.
    static var all: [MutableProtocol] {
        Commits.allCases.flatMap { commits in
            Change.allCases.map { MutableProtocol(commits: commits, change: $0) } + [
                MutableProtocol(
                    commits: commits, before: [.transferPhoto], change: .transferPhoto)
            ]
        }
    }

    /// One that has most kinds of steps.
    static let sample = [MutableProtocol(commits: .rewrite, change: .importPhotos)]
}
