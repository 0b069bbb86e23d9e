import FileSystem
import TestSupport

/// What a process did to a disk.
struct Recording: Sendable {
    let start: MemoryFileSystem.Image
    private(set) var events: [RecordedDisk.Event]
    /// The worlds before the last change and after it.
    private(set) var worlds: [World]
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

    /// Opens the store on a disk as the process after a power loss does, and goes on with it.
    ///
    /// What that process saw when it had opened the store must not change any more.
    init(recovering start: MemoryFileSystem.Image, _ commits: Commits, then change: Change? = nil)
        throws
    {
        let disk = RecordedDisk(start)
        disk.holdOthers()
        defer { disk.letOthersGoOn() }
        let store = try Store(on: disk, commits)
        var world = try store.world()
        _ = try store.findings()
        disk.letOthersGoOn()
        store.finish()
        self.start = start
        worlds = [world]
        begin = 0
        if let change, change.applied(to: world) != nil {
            begin = disk.events.count
            world.lastNumber = 100
            disk.holdOthers()
            try change.make(in: store, holding: world)
            disk.acknowledge()
            disk.letOthersGoOn()
            store.finish()
            worlds += [change.applied(to: world) ?? world].map(\.visible)
        }
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
