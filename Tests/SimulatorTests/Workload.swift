import FileSystem
import TestSupport

/// Changes that one process makes, one after the other.
struct Workload: Hashable, Sendable, LosslessStringConvertible {
    var commits: Commits
    var changes: [Change]

    init(_ commits: Commits, _ changes: [Change]) {
        self.commits = commits
        self.changes = changes
    }

    /// All workloads of up to `length` changes that have something to work on.
    ///
    /// Journals are folded by the first of them or the second; a third would find none.
    static func all(upTo length: Int) -> [Workload] {
        Commits.allCases.flatMap { commits in
            sequences(upTo: commits == .fold ? min(length, 2) : length)
                .map { Workload(commits, $0) }
        }
    }

    private static func sequences(upTo length: Int) -> [[Change]] {
        guard length > 0 else { return [] }
        let shorter = sequences(upTo: length - 1)
        let longest = length == 1 ? [[]] : shorter.filter { $0.count == length - 1 }
        return shorter
            + longest.flatMap { begin in Change.allCases.map { begin + [$0] } }
            .filter { worlds(of: $0) != nil }
    }

    /// Whether each change has something to work on.
    var isPossible: Bool { Self.worlds(of: changes) != nil }

    /// The worlds before, between and after some changes; nil where one has nothing to work on.
    private static func worlds(of changes: [Change]) -> [World]? {
        var worlds = [World.first]
        for change in changes {
            guard let next = change.applied(to: worlds[worlds.count - 1]) else { return nil }
            worlds.append(next)
        }
        return worlds
    }

    var description: String {
        "\(commits.rawValue) \(changes.map(\.rawValue).joined(separator: ","))"
    }

    init?(_ description: String) {
        let words = description.split(separator: " ")
        guard words.count == 2, let commits = Commits(rawValue: String(words[0])) else {
            return nil
        }
        let changes = words[1].split(separator: ",").map { Change(rawValue: String($0)) }
        guard !changes.contains(nil) else { return nil }
        self.init(commits, changes.compactMap(\.self))
    }
}

/// What a workload did to a disk.
struct Recording: Sendable {
    let start: MemoryFileSystem.Image
    private(set) var events: [RecordedDisk.Event]
    /// The worlds before the last change and after it.
    let worlds: [World]
    /// The moment when the last change began.
    private(set) var begin: Int

    /// Makes the changes of `workload`.
    init(_ workload: Workload, from start: MemoryFileSystem.Image) throws {
        let disk = RecordedDisk(start)
        let store = try Store(on: disk, workload.commits)
        var worlds = [World.first]
        var begin = 0
        for change in workload.changes {
            let world = worlds[worlds.count - 1]
            begin = disk.events.count
            disk.holdOthers()
            defer { disk.letOthersGoOn() }
            try change.make(in: store, holding: world)
            disk.acknowledge()
            disk.letOthersGoOn()
            store.finish()
            worlds.append(change.applied(to: world) ?? world)
        }
        self.start = start
        self.worlds = worlds.suffix(2).map(\.visible)
        self.begin = begin
        events = disk.events
    }

    /// The number of changes that were acknowledged at a moment, of the last one alone.
    func isAcknowledged(at moment: Int) -> Bool {
        events[begin..<max(begin, moment)].contains {
            if case .acknowledged = $0 { true } else { false }
        }
    }

    /// What each event was.
    var steps: [String] { RecordedDisk.steps(of: events, on: start) }

    /// The same without what was done to lock files, which never has to reach the disk.
    var withoutLocks: Recording {
        var recording = self
        let isKept = steps.map { !$0.hasSuffix(".lock") }
        recording.events = zip(events, isKept).filter(\.1).map(\.0)
        recording.begin = isKept[..<begin].count { $0 }
        return recording
    }

    /// The same as a mutant would have left it.
    func mutated(by mutant: Mutant) -> Recording {
        var recording = self
        switch mutant.kind {
        case .without:
            recording.events.remove(at: mutant.position)
            if mutant.position < begin { recording.begin -= 1 }
        case .swapped: recording.events.swapAt(mutant.position, mutant.position + 1)
        }
        return recording
    }
}
