package import FileSystem

extension RecordedDisk {
    /// Calls `body` with the different disks that power losses can leave, at some moments and at the last one.
    ///
    /// `isDone` says whether something was acknowledged before; `place` says which state it is, and how to repeat it.
    package func forEachPowerLoss(
        _ profile: PowerLoss.Profile, in scenario: String,
        _ body: (_ disk: MemoryFileSystem, _ isDone: Bool, _ place: String) throws -> Void
    ) rethrows {
        let random = SeededGenerator()
        let loss = PowerLoss(self, profile)
        let effort = PowerLoss.Effort.sampled(
            exhaustive: TestSize.choose(sample: 1, gate: 3, full: 6),
            samples: TestSize.choose(sample: 1, gate: 3, full: 64), tears: 1)
        var sweep = Sweep(for: "\(profile) \(scenario)")
        var known: Set<MemoryFileSystem.Image> = []
        let moments = sweep.numbers(below: moment, step: 36) + [moment]
        try loss.forEachState(at: moments, effort, seed: random.seed) { state in
            guard known.insert(state.image).inserted else { return }
            try body(
                MemoryFileSystem(state.image), loss.acknowledgements(at: state.moment) > 0,
                "\(profile), \(scenario), moment \(state.moment), \(random)")
        }
    }
}
