import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import JSONCodec
import TestSupport

/// Random devices that edit, meet, crash, move to other machines and are restored; what they show in the end is compared
/// with what happened.
struct Model {
    struct Settings {
        var devices = 3
        var steps = TestSize.choose(sample: 10, gate: 20, full: 40)
        /// How often a sync is killed at one of its calls.
        var crashes = 0.25
        var restores = true
        var hasLateDevice = true
        var compacts = true
        /// Whether photos move, and get other files.
        var editsPhotos = false
        /// How often an index is damaged or repaired before a step.
        var damage = 0.0
        /// How often the files of a device become unreadable, or readable again, before a step.
        var unreadableFiles = 0.0
        /// How often the file of a photo is lost on a device, and perhaps its line with a repair.
        var lostFiles = 0.0
        /// How often a device is given the shared folder of others.
        var wrongNetworks = 0.0
        /// Whether removed items are forgotten as soon as all known devices have seen that.
        var forgets = true
        /// How often an album is moved instead of another change.
        var movedAlbums = 0.0
        /// How often a bit of a file flips on its way to another device.
        var flippedBits = 0.0
        var rules = MergeRules()
        var order = SyncSteps()
        /// What becomes of the calls of the file system, if a test wants to change that.
        var fate: @Sendable (Int, String) -> ProcessFileSystem.Fate = { _, _ in .works }
    }

    /// What went wrong.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let seed: UInt64
    let settings: Settings
    let clock = TestClock()
    let disk: MemoryFileSystem
    var random: SeededGenerator
    var devices: [TestDevice] = []
    var engine: Engine
    var oracle = Oracle()
    var known: [String: Oracle.Knowledge] = [:]
    var counts = Counts()
    /// The files of a device at one time, and how many segments it had sent.
    var backup: (image: [String: [UInt8]], known: Oracle.Knowledge, sentCount: Int)?
    /// The newest segment that each device has sent on its machine.
    var newest: [String: Dot] = [:]
    /// The device whose store was set back, and which became another one.
    var setBack: DeviceID?
    /// The devices that were on two machines.
    var moved: Set<String> = []
    private let sent = SentFiles()
    let unreadableFiles = UnreadableFiles()
    var valueCount = 0
    /// The devices on which values were made.
    var makers: [String: String] = [:]
    /// The photos of which a device lost the file.
    var lostPhotos: Set<UUID> = []
    /// The values that the user of their device removed or replaced, in lives with files that cannot be read.
    var removedValues: Set<String> = []

    init(seed: UInt64, _ settings: Settings = .init()) throws {
        (self.seed, self.settings) = (seed, settings)
        random = SeededGenerator(seed: seed)
        // Devices ask for what is missing only when it has been so for a minute.
        disk = clock.makeDisk(age: 3600)
        engine = Engine(disk, [], seed: seed &+ 1)
        engine.flipped = settings.flippedBits
        oracle.forgets = settings.forgets
        for number in 0..<settings.devices { try addDevice("d\(number)") }
    }

    private mutating func addDevice(_ name: String) throws {
        var options = ReplicaOptions()
        options.removalLimit = 1000
        // Removed items are forgotten as soon as all known devices have seen that.
        options.memory = settings.forgets ? .zero : .seconds(10_000 * 86_400)
        options.localFileLimit = 2000
        options.largeImport = 1
        if settings.compacts { (options.fileLimit, options.changesLimit) = (4, 2000) }
        let skew = [0, 0, -3_600_000, 365 * 86_400_000].randomElement(using: &random) ?? 0
        var environment = clock.environment(seed: seed &* 31 &+ UInt64(devices.count), skew: skew)
        (environment.rules, environment.steps) = (settings.rules, settings.order)
        devices.append(
            try TestDevice(
                name, on: disk, options: options, environment: environment,
                fate: fate(of: name)))
        known[name] = .init()
        try engine.join(name)
    }

    /// What becomes of the calls of a device; it is killed at the call with the number `last`.
    private func fate(of name: String, killedAt last: Int = .max)
        -> @Sendable (Int, String) -> ProcessFileSystem.Fate
    {
        let base = unreadableFiles.hiding(settings.fate, of: name)
        return sent.recording(
            { number, line in number >= last ? .killed : base(number, line) }, on: disk)
    }

    /// Plays everything.
    ///
    /// - Throws: ``Failure``.
    mutating func run() throws {
        for step in 0..<settings.steps {
            if settings.hasLateDevice, step == settings.steps / 2 { try addDevice("late") }
            if settings.restores, step == settings.steps / 3 { try backUp() }
            if settings.restores, step == 2 * settings.steps / 3 { try restore() }
            clock.advance(.random(in: 0...5000, using: &random))
            if Double.random(in: 0..<1, using: &random) < 0.05 { try passNight() }
            let device = Int.random(in: 0..<devices.count, using: &random)
            // The oracle knows one id of the device that is set back.
            if device > 0, Double.random(in: 0..<1, using: &random) < 0.05 { try move(device) }
            try use(devices[device])
            if Double.random(in: 0..<1, using: &random) < 0.7 { try sync(device) }
            try engine.scan()
            let other = Int.random(in: 0..<devices.count, using: &random)
            try engine.deliver(
                to: devices[other].name, count: .random(in: 0...8, using: &random))
        }
        for device in devices {
            try repair(device)
            unreadableFiles.set(false, on: device.name)
        }
        try settle()
        try check()
    }

    private mutating func settle() throws {
        engine.flipped = 0
        for round in 0..<40 {
            // Devices put files back into the shared folder once an hour, and ask once a day for what is damaged.
            if round == 3 { clock.advance(Self.night) }
            var isQuiet = true
            for index in devices.indices {
                let published = try sync(index, canCrash: false)
                if published > 0, round > 4 {
                    throw failure("something is published although all is quiet")
                }
                if published > 0 { isQuiet = false }
            }
            try engine.scan()
            for device in devices {
                if !engine.isEmpty { isQuiet = false }
                try engine.deliver(to: device.name, count: 10_000)
            }
            if isQuiet, round > 4, engine.isEmpty { return }
        }
        throw failure("the devices do not settle")
    }

    /// In milliseconds: long enough that a file that came before was there for a day.
    private static let night = 90_000_000

    /// Lets so much time pass that files which nobody needs are removed; an engine brings everything within it.
    private mutating func passNight() throws {
        try engine.scan()
        for device in devices { try engine.deliver(to: device.name, count: 10_000) }
        clock.advance(Self.night)
    }

    func failure(_ text: String) -> Failure { Failure(description: "seed \(seed): \(text)") }

    /// Syncs, perhaps only up to a random call, and tells the oracle; returns how much was published.
    @discardableResult
    mutating func sync(_ index: Int, canCrash: Bool = true) throws -> Int {
        let device = devices[index]
        let name = device.name
        let before = known[name] ?? .init()
        let isDoomed = canCrash && Double.random(in: 0..<1, using: &random) < settings.crashes
        let files = try engine.files(of: name).values
        let joined = oracle.joined(before, files)
        if isDoomed {
            let last = Int.random(in: 20..<300, using: &random)
            // It can die while it is opened, too.
            do { try device.restart(fate: fate(of: name, killedAt: last)) } catch {}
        }
        var published = 0
        var shown: Set<String> = []
        var hasEnded = false
        do {
            if !isDoomed, try !isDamaged(device) { shown = Set(try picture(of: device).values) }
            published = try device.sync().published
            hasEnded = true
        } catch let error where device.process.isDead {
            _ = error
            counts.crashes += 1
        }
        var own: Set<Dot> = []
        for file in sent.take() {
            // A store that has moved can send what it wrote as another device.
            try oracle.note(
                file.bytes, before: before.union(own), joined: joined.union(own),
                isState: file.content == .state)
            guard file.content == .changes else { continue }
            try checkMakers(of: file.bytes, name)
            own.formUnion(oracle.segments(in: file.bytes))
        }
        let new = own.filter { $0.device != setBack }
        newest[name] = new.max { $0.number < $1.number } ?? newest[name]
        if hasEnded {
            known[name] = joined.union(own)
            let all = oracle.publishedValues
            if let value = shown.first(where: { !all.contains($0) }) {
                throw failure("\(name) did not publish \(value)")
            }
        } else {
            known[name] = .init(least: before.least.union(own), most: joined.most.union(own))
        }
        if isDoomed { try restart(device) }
        return published
    }

    mutating func restart(_ device: TestDevice, on machine: String? = nil) throws {
        try device.restart(on: machine, fate: fate(of: device.name))
    }

    /// Checks that a device tells others nothing that only somebody else has made, except as part of a whole item, or of
    /// one that others may have forgotten.
    private func checkMakers(of bytes: [UInt8], _ name: String) throws {
        for entry in try Segment.read(bytes[...]).flatMap(\.entries) where entry.container == nil {
            let item = ItemReference(entry.kind, entry.key)
            for member in try entry.set.flatMap({ try JSONMembers.all(of: $0) }) ?? [] {
                guard let maker = JSONMembers.text(of: member.value).flatMap({ makers[$0] }),
                    maker != name
                else { continue }
                let value = String(decoding: member.value, as: UTF8.self)
                let removed = oracle.removedValues(item, member.name)
                if removed.contains(where: { $0.value == value }) { continue }
                throw failure("\(name) published a value that \(maker) made")
            }
        }
    }
}
