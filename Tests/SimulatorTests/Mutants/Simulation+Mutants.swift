import TestSupport

extension Simulation {
    /// How a mutant of the recording breaks a promise; nil if it does not.
    mutating func failure(of mutant: Mutant) -> String? {
        let sound = recording
        defer { recording = sound }
        recording = sound.mutated(by: mutant)
        mostFailures = 1
        for profile in PowerLoss.Profile.allCases {
            run(profile, at: recording.moments(where: mutant, differsFrom: sound, profile))
            if let failure = tally.failures.first {
                tally.failures.removeAll()
                return "\(profile), \(failure.message)"
            }
        }
        return nil
    }
}

extension Recording {
    /// The moments at which a power loss can leave another state in this mutated recording than in
    /// the sound one.
    fileprivate func moments(
        where mutant: Mutant, differsFrom sound: Recording, _ profile: PowerLoss.Profile
    ) -> [Int] {
        let before = PowerLoss(sound.events, on: sound.start, profile).pendingAtoms
        let now = PowerLoss(events, on: start, profile).pendingAtoms
        return (begin..<now.count).filter { moment in
            let same = mutant.kind == .without && moment > mutant.position ? moment + 1 : moment
            return now[moment] != before[same]
                || acknowledgements(at: moment) != sound.acknowledgements(at: same)
        }
    }
}
