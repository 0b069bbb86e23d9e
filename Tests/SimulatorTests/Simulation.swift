import FileSystem
import StoreModel
import TestSupport

/// Loses power at every moment of the last operation of a workload, and checks what is left.
struct Simulation {
    let workload: Workload
    var recording: Recording
    /// The process that was killed and the next one; nil if power is lost in the first process.
    let succession: Succession?
    let size: Size
    let seed: UInt64
    /// The one state to check; nil for all.
    let only: StateName?
    /// The simulation ends after this number of failures.
    var mostFailures = 3
    var tally = Tally()
    /// The number of the tree found on each disk, by its fingerprint.
    private var seen: [Int: Int] = [:]

    init(
        _ workload: Workload, _ recording: Recording, _ size: Size, seed: UInt64,
        _ succession: Succession? = nil, only: StateName? = nil
    ) {
        self.workload = workload
        self.recording = recording
        self.succession = succession
        self.size = size
        self.seed = seed
        self.only = only
    }

    /// Some moments from the start of the last operation on.
    private var moments: [Int] {
        if let only { return [only.moment].filter((0...recording.events.count).contains) }
        return some(recording.begin...recording.events.count)
    }

    /// Every `step`th of `moments`, and at least one; the seed decides the first.
    private func some(_ moments: ClosedRange<Int>) -> [Int] {
        let all = Array(moments)
        let first = Int(seed % UInt64(min(size.step, all.count)))
        return stride(from: first, to: all.count, by: size.step).map { all[$0] }
    }

    mutating func run() {
        for profile in PowerLoss.Profile.allCases where only == nil || only?.profile == profile {
            run(profile, at: moments)
        }
    }

    /// Loses power at each of `moments`.
    mutating func run(_ profile: PowerLoss.Profile, at moments: [Int]) {
        let loss = PowerLoss(recording.events, on: recording.start, profile)
        loss.forEachState(at: moments, size.effort, seed: seed) { state in
            guard tally.failures.count < mostFailures else { return }
            check(state, profile)
        }
    }

    private mutating func check(_ state: PowerLoss.State, _ profile: PowerLoss.Profile) {
        if let only, only.number != state.number { return }
        tally.states += 1
        do {
            try checkAcknowledged(state, profile)
        } catch {
            let name = StateName(
                workload: workload, profile: profile, moment: state.moment, number: state.number,
                seed: seed, size: size.name, succession: succession)
            tally.failures.append(Failure(state: name, message: "\(error)"))
        }
    }

    /// Checks the disk unless an equal one was checked before, and then that an acknowledged
    /// operation is in what it holds.
    private mutating func checkAcknowledged(
        _ state: PowerLoss.State, _ profile: PowerLoss.Profile
    ) throws {
        let trees = recording.trees
        let fingerprint = state.image.fingerprint
        let isNew = seen[fingerprint] == nil
        let found =
            try seen[fingerprint]
            ?? Oracle(mode: workload.mode, allowed: trees)
            .check(state.image, state.image.choice)
        seen[fingerprint] = found
        guard recording.allows(found, at: state.moment) else {
            throw Violation("an acknowledged change is lost: it holds \(trees[found])")
        }
        guard isNew else { return }
        tally.disks += 1
        if tally.disks % size.recoveries == 0 {
            try losePowerInRecovery(of: state.image, holding: trees[found], profile)
        }
    }

    /// Loses power again while a process recovers a disk; the disk must still hold `tree`.
    private mutating func losePowerInRecovery(
        of image: MemoryFileSystem.Image, holding tree: Tree,
        _ profile: PowerLoss.Profile
    ) throws {
        let recording = try Recording(recovering: image, workload.mode)
        let loss = PowerLoss(recording.events, on: image, profile)
        let oracle = Oracle(mode: workload.mode, allowed: [tree])
        let effort = PowerLoss.Effort(exhaustive: 4, samples: 2, tears: 2)
        var checked: Set<Int> = []
        try loss.forEachState(at: some(loss.moments), effort, seed: seed) { state in
            tally.states += 1
            tally.recoveryStates += 1
            guard checked.insert(state.image.fingerprint).inserted else { return }
            tally.disks += 1
            do {
                _ = try oracle.check(state.image, state.image.choice)
            } catch {
                throw Violation(
                    "at moment \(state.moment), state \(state.number) of its recovery: \(error)")
            }
        }
    }
}
