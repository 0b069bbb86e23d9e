import FileSystem
import TestSupport

/// How many states a run of the simulator goes through.
struct Size: Sendable {
    var name: String
    /// The longest workload.
    var length: Int
    var effort: PowerLoss.Effort
    /// The distance between the moments at which power goes.
    var step = 1
    /// Of how many disks one has its power go during recovery too.
    var recoveries: Int

    /// What each `swift test` can afford.
    static let small = Size(
        name: "small", length: 1, effort: .init(exhaustive: 3, samples: 1, tears: 2), step: 7,
        recoveries: 32)
    static let ci = Size(
        name: "ci", length: 2, effort: .init(exhaustive: 6, samples: 4, tears: 4), recoveries: 100)
    static let full = Size(
        name: "full", length: 3, effort: .init(exhaustive: 8, samples: 16, tears: 8),
        recoveries: 100)
    static let all = [small, ci, full]

    /// The same for workloads whose locks are left out, of which so many states are built that no
    /// mutant is caught by luck.
    var forMutants: Size {
        var size = self
        size.effort = .init(exhaustive: 10, samples: 32, tears: 4)
        size.step = 1
        size.recoveries = .max
        return size
    }
}

/// A state that violates a promise, and how to build it again.
struct Failure: Sendable, CustomStringConvertible {
    let state: StateName
    let message: String

    var description: String { "\(message)\n\(state.command)" }
}

/// What a simulation went through.
struct Tally: Sendable {
    var states = 0
    /// The number of different disks, each of which was checked.
    var disks = 0
    /// Of those, the states of disks whose power went during recovery.
    var recoveryStates = 0
    var failures: [Failure] = []

    static func + (left: Tally, right: Tally) -> Tally {
        Tally(
            states: left.states + right.states, disks: left.disks + right.disks,
            recoveryStates: left.recoveryStates + right.recoveryStates,
            failures: left.failures + right.failures)
    }
}

/// Loses power at every moment of the last change of a workload, and checks what is left.
struct Simulation {
    let workload: Workload
    var recording: Recording
    let size: Size
    let seed: UInt64
    /// The one state to check; nil for all.
    let only: StateName?
    /// The number of failures after which the simulation ends.
    var mostFailures = 3
    var tally = Tally()
    /// What was found on each disk, by its hash: which of the worlds.
    private var seen: [Int: Int] = [:]

    init(
        _ workload: Workload, _ recording: Recording, _ size: Size, seed: UInt64,
        only: StateName? = nil
    ) {
        self.workload = workload
        self.recording = recording
        self.size = size
        self.seed = seed
        self.only = only
    }

    /// The moments from the last change on, of which a random one in each step is taken.
    private var moments: [Int] {
        if let only { return [only.moment].filter((0...recording.events.count).contains) }
        let all = Array(recording.begin...recording.events.count)
        let first = Int(seed % UInt64(size.step))
        return stride(from: first, to: all.count, by: size.step).map { all[$0] }
    }

    mutating func run(_ profiles: [PowerLoss.Profile] = PowerLoss.Profile.allCases) {
        for profile in profiles where only == nil || only?.profile == profile {
            run(profile, at: moments)
        }
    }

    /// Loses power at some moments.
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
        let name = StateName(
            workload: workload, profile: profile, moment: state.moment, number: state.number,
            seed: seed, size: size.name)
        let worlds = recording.worlds
        let last = worlds.count - 1
        let hash = state.image.fingerprint
        do {
            let isNew = seen[hash] == nil
            let found =
                try seen[hash]
                ?? Oracle(commits: workload.commits, worlds: worlds)
                .world(on: state.image, state.image.choice)
            seen[hash] = found
            guard
                !recording.isAcknowledged(at: state.moment) || found == last
                    || worlds[found] == worlds[last]
            else {
                throw Oracle.Violation("an acknowledged change is lost: it holds \(worlds[found])")
            }
            guard isNew else { return }
            tally.disks += 1
            if tally.disks % size.recoveries == 0 {
                try losePowerInRecovery(of: state.image, holding: worlds[found], profile)
            }
        } catch {
            tally.failures.append(Failure(state: name, message: "\(error)"))
        }
    }

    /// Loses power again while a process recovers a disk, which must not change what it holds.
    private mutating func losePowerInRecovery(
        of image: MemoryFileSystem.Image, holding world: World, _ profile: PowerLoss.Profile
    ) throws {
        let recording = try Recording(recovering: image, workload.commits)
        let loss = PowerLoss(recording.events, on: image, profile)
        let oracle = Oracle(commits: workload.commits, worlds: [world])
        let effort = PowerLoss.Effort(exhaustive: 4, samples: 2, tears: 2)
        var found: Set<Int> = []
        try loss.forEachState(at: loss.moments, effort, seed: seed) { state in
            tally.states += 1
            tally.recoveryStates += 1
            guard found.insert(state.image.fingerprint).inserted else { return }
            tally.disks += 1
            do {
                _ = try oracle.world(on: state.image, state.image.choice)
            } catch {
                throw Oracle.Violation(
                    "at moment \(state.moment), state \(state.number) of its recovery: \(error)")
            }
        }
    }
}

extension MemoryFileSystem.Image {
    /// A hash of all that lies on the disk; for seven disks of eight without the bytes of locks,
    /// which only tell living processes what they missed, and so double the disks in vain.
    fileprivate var fingerprint: Int {
        var (all, withoutLocks) = (0, 0)
        for (folder, content) in contents {
            guard case .folder(let entries) = content else { continue }
            for (name, inode) in entries {
                var hasher = Hasher()
                hasher.combine(folder)
                hasher.combine(name)
                hasher.combine(inode)
                if case .file(let bytes)? = contents[inode] {
                    if name.isHidden && name.string.hasSuffix(".lock") {
                        withoutLocks &+= hasher.finalize()
                    }
                    hasher.combine(bytes)
                }
                let hash = hasher.finalize()
                all &+= hash
                if !(name.isHidden && name.string.hasSuffix(".lock")) { withoutLocks &+= hash }
            }
        }
        return withoutLocks & 7 == 0 ? all : withoutLocks
    }

    /// A number that is the same in every run, whatever random names there are.
    fileprivate var choice: Int {
        var choice = contents.count
        for content in contents.values {
            switch content {
            case .file(let bytes): choice &+= bytes.count &* 31
            case .folder(let entries): choice &+= entries.count &* 7919
            }
        }
        return Int(SeededMix.mix(UInt64(truncatingIfNeeded: choice)) >> 2)
    }
}

/// Spreads the bits of a number.
private enum SeededMix {
    static func mix(_ number: UInt64) -> UInt64 {
        var generator = SeededGenerator(seed: number)
        return generator.next()
    }
}
