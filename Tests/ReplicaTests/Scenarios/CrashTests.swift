import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

/// A device that is killed, or loses power, at a call of a sync that publishes, imports and compacts.
@Suite struct CrashTests {
    /// Two devices that have met, and have changed something since: in `a` nothing of that is published yet.
    private func start(carrying: Bool = true) throws -> (MemoryFileSystem, Project, Photo) {
        var disk = MemoryFileSystem()
        var (a, b) = try devices(on: disk)
        let apollo = Project("Apollo")
        try a.projects.append(contentsOf: [apollo, Project("Gemini"), Project("Mercury")])
        try a.notes(apollo.id).append(Note(text: "old"))
        let photo = try a.photos(apollo.id).insert(Data([1]), name: "old.jpg")
        try settle([a, b], Carrier(disk: disk))
        // In an image all files were made at one time, so the devices take new ids here, which they keep from now on.
        disk = MemoryFileSystem(disk.image)
        (a, b) = try devices(on: disk)
        try settle([a, b], Carrier(disk: disk))
        try b.projects.update(id: apollo.id) { $0.note = "from b" }
        try b.projects.remove(id: b.projects.items[1].id)
        try b.photos(apollo.id).insert(Data([2]), name: "from b.jpg")
        try b.projects.insert(Project("from b"), at: 0)
        try b.sync()
        if carrying { try Carrier(disk: disk).carry(from: b, to: a) }
        try a.projects.update(id: apollo.id) { $0.title = "from a" }
        try a.photos(apollo.id).insert(Data([3]), name: "from a.jpg")
        try a.projects.append(Project("from a"))
        return (disk, apollo, photo)
    }

    private func devices(
        on disk: MemoryFileSystem,
        fate: @escaping @Sendable (Int, String) -> ProcessFileSystem.Fate = { _, _ in .works }
    ) throws -> (TestDevice, TestDevice) {
        // Each sync compacts.
        var options = ReplicaOptions()
        (options.fileLimit, options.changesLimit) = (2, 1)
        let clock = TestClock()
        return (
            try TestDevice(
                "a", on: disk, options: options,
                environment: clock.environment(seed: .random(in: 0...UInt64.max)), fate: fate),
            try TestDevice(
                "b", on: disk, options: options,
                environment: clock.environment(seed: .random(in: 0...UInt64.max)))
        )
    }

    private func check(
        _ disk: MemoryFileSystem, _ apollo: Project, _ comment: Comment,
        afterPowerLoss: Bool = false
    ) throws {
        let (a, b) = try devices(on: disk)
        try settle([a, b], Carrier(disk: disk))
        for device in [a, b] {
            let project = device.projects[id: apollo.id]
            #expect(project?.title == "from a" && project?.note == "from b", comment)
            #expect(
                device.projects.items.map(\.title) == ["from b", "from a", "Mercury", "from a"],
                comment)
            #expect(
                Set(try device.photos(apollo.id).loaded().map(\.name))
                    == ["old.jpg", "from a.jpg", "from b.jpg"], comment)
            #expect(try device.notes(apollo.id).loaded().map(\.text) == ["old"], comment)
            // The stage of an import can be there without the file that names its process.
            let inRoot = try device.projects.verify().filter {
                !afterPowerLoss || $0.kind != .leftoverStage
            }
            let inChild = try device.photos(apollo.id).verify().filter { $0.kind != .leftoverStage }
            #expect(inRoot == [] && inChild == [], comment)
            #expect(device.replica.conflicts.isEmpty, comment)
        }
        #expect(try a.sync().published == 0 && b.sync().published == 0, comment)
        // Two from before the image.
        #expect(a.replica.devices.count == 4, comment)
    }

    @Test func aKillAtAnyCallLosesNothing() throws {
        let (disk, apollo, _) = try start()
        let image = disk.image
        let (whole, _) = try devices(on: MemoryFileSystem(image))
        let first = whole.process.calls
        try whole.sync()
        let count = whole.process.calls
        var kills = 0
        var sweep = Sweep()
        for call in sweep.numbers(below: count - first, step: 48) {
            let disk = MemoryFileSystem(image)
            let (a, _) = try devices(on: disk) { number, _ in
                number >= first + call ? .killed : .works
            }
            // Random names make some syncs a few calls shorter.
            _ = try? a.sync()
            kills += a.process.isDead ? 1 : 0
            a.process.kill()
            try check(disk, apollo, "call \(call) of \(count - first), \(sweep)")
        }
        // One call at the end of a sync may come after the shorter ones.
        #expect(kills > 0 || TestSize.current == .sample)
    }

    @Test func aFaultAtAnyCallLosesNothing() throws {
        let (disk, apollo, _) = try start()
        let image = disk.image
        let (whole, _) = try devices(on: MemoryFileSystem(image))
        let first = whole.process.calls
        try whole.sync()
        var sweep = Sweep()
        for call in sweep.numbers(below: whole.process.calls - first, step: 48) {
            let disk = MemoryFileSystem(image)
            let (a, _) = try devices(on: disk) { number, _ in
                number == first + call ? .failsHalfway(.noSpace) : .works
            }
            // Some calls may fail without harm.
            _ = try? a.sync()
            _ = try? a.sync()
            a.process.kill()
            try check(disk, apollo, "call \(call), \(sweep)")
        }
    }

    @Test(arguments: Sweep.cases(PowerLoss.Profile.allCases, sample: 1))
    func aPowerLossAtAnyMomentLosesNothing(profile: PowerLoss.Profile) throws {
        let (disk, apollo, _) = try start()
        let recorded = RecordedDisk(disk.image)
        try device("a", on: recorded, TestClock().environment(seed: 99)).replica.sync()
        try checkPowerLosses(of: recorded, profile, apollo)
    }

    /// A device on a disk of any kind; each sync compacts.
    private func device(
        _ name: String, on disk: any FileSystem, _ environment: ReplicaEnvironment
    ) throws -> (projects: Directory<Project>, replica: Replica) {
        var options = ReplicaOptions()
        (options.fileLimit, options.changesLimit) = (2, 1)
        return try TestDevice.open(name, disk, options, environment)
    }

    /// Checks the states that a power loss can leave, at some moments.
    private func checkPowerLosses(
        of recorded: RecordedDisk, _ profile: PowerLoss.Profile, _ apollo: Project
    ) throws {
        let loss = PowerLoss(recorded, profile)
        var sweep = Sweep(for: profile)
        let moments = sweep.numbers(below: recorded.moment, step: 24) + [recorded.moment]
        let effort = PowerLoss.Effort.sampled(
            exhaustive: 1, samples: TestSize.choose(sample: 1, gate: 2, full: 16), tears: 1)
        var failures = 0
        var states = 0
        loss.forEachState(at: moments, effort, seed: 7) { state in
            guard failures < 3, states < TestSize.choose(sample: 2, gate: 12, full: .max) else {
                return
            }
            states += 1
            do {
                try check(
                    MemoryFileSystem(state.image), apollo,
                    "\(profile), moment \(state.moment), state \(state.number), \(sweep)",
                    afterPowerLoss: true)
            } catch {
                failures += 1
                Issue.record("\(profile), moment \(state.moment), \(sweep): \(error)")
            }
        }
        #expect(states > 0)
    }

    /// The engine brings files of the other device, one by one, between the calls of a sync that the power ends.
    @Test(arguments: Sweep.cases(PowerLoss.Profile.allCases, sample: 1))
    func aPowerLossWhileFilesArriveLosesNothing(profile: PowerLoss.Profile) throws {
        let (disk, apollo, _) = try start(carrying: false)
        let recorded = RecordedDisk(disk.image)
        var random = SeededGenerator(seed: 99)
        let first = 20
        let deliveries = Mutex(
            try Carrier(disk: recorded).files(from: "b").shuffled(using: &random))
        let process = ProcessFileSystem(recorded) { number, _ in
            guard number > first, number.isMultiple(of: 7),
                let file = deliveries.withLock({ $0.popLast() })
            else { return .works }
            try? Carrier(disk: recorded).carry(file, from: "b", to: "a")
            return .works
        }
        let a = try device("a", on: process, TestClock().environment(seed: 99))
        for _ in 0..<3 { try a.replica.sync() }
        #expect(deliveries.withLock { $0.isEmpty })
        try checkPowerLosses(of: recorded, profile, apollo)
    }

    /// Another process of the device changes something between the calls of a sync.
    @Test func aCommitOfTheAppBetweenAnyTwoCallsIsKept() throws {
        let (disk, apollo, photo) = try start()
        let image = disk.image
        let (whole, _) = try devices(on: MemoryFileSystem(image))
        let first = whole.process.calls
        try whole.sync()
        var sweep = Sweep()
        for call in sweep.numbers(below: whole.process.calls - first, step: 48) {
            let disk = MemoryFileSystem(image)
            // Work in the background makes calls, too, so the sync can have fewer than the other one had.
            let isSynced = Mutex(false)
            let (a, b) = try devices(on: disk) { number, _ in
                guard number == first + call, !isSynced.withLock(\.self) else { return .works }
                let other = ProcessFileSystem(disk)
                let options = DirectoryOptions(lockTimeout: .milliseconds(1))
                let app = try? Directory<Project>(
                    at: URL(filePath: "/a/store", directoryHint: .isDirectory),
                    index: "projects.json", options: options, on: other)
                // While the sync has the lock, the app has to wait.
                try? app?.update(id: apollo.id) { $0.count = 5 }
                try? app?.child(.photos, of: apollo.id).update(id: photo.id) { $0.name = "new" }
                return .works
            }
            try a.sync()
            isSynced.withLock { $0 = true }
            try settle([a, b], Carrier(disk: disk))
            let app = try Directory<Project>(
                at: URL(filePath: "/a/store", directoryHint: .isDirectory),
                index: "projects.json", on: ProcessFileSystem(disk))
            try app.load()
            for device in [a, b] {
                #expect(device.projects[id: apollo.id]?.title == "from a", "call \(call), \(sweep)")
                #expect(device.projects[id: apollo.id]?.note == "from b", "call \(call), \(sweep)")
                #expect(Array(device.projects.items) == Array(app.items), "call \(call), \(sweep)")
            }
            #expect(
                try a.photos(apollo.id).loaded() == b.photos(apollo.id).loaded(),
                "call \(call), \(sweep)")
        }
    }
}
