import FileSystem
import StoreModel
import TestSupport

/// What a process did to a disk.
struct Recording: Sendable {
    let start: MemoryFileSystem.Image
    var events: [RecordedDisk.Event]
    /// What the store may hold: what it held before the last operation, and after it if there was
    /// one.
    let trees: [Tree]
    /// Which of ``trees`` keep all promises, by the number of acknowledgements since ``begin``.
    let allowed: [Set<Int>]
    /// The moment at which the last operation began, or the next process after a kill.
    var begin: Int

    /// Performs the operations of `workload`.
    init(_ workload: Workload, from start: MemoryFileSystem.Image) throws {
        let disk = RecordedDisk(start)
        let store = try Session(on: disk, workload.mode, undoLimit: workload.undoLimit)
        var trees = [Tree.small]
        var steps: [Step] = []
        var begin = 0
        for operation in workload.operations {
            begin = disk.events.count
            steps.append(operation.step(on: trees[trees.count - 1]) ?? .open)
            trees.append(
                try disk.record(operation, in: store, holding: trees[trees.count - 1]))
        }
        // At its end, the store lets go what it keeps for an undo, at some moment in the background.
        let events =
            workload.undoLimit == 0 ? disk.events : withExtendedLifetime(store) { disk.events }
        if workload.mode == .relaxed {
            let possible = RelaxedTrees(workload.operations, steps, from: .small)
            self.init(
                start: start, events: events, trees: possible.trees, allowed: possible.allowed,
                begin: begin)
            return
        }
        self.init(
            start: start, events: events, trees: trees.suffix(2).map(\.visible), begin: begin)
    }

    /// Opens the store on a disk as the next process after a power loss does, and performs
    /// `operation` if there is one.
    ///
    /// What this process sees when it has opened the store must survive another power loss.
    init(
        recovering start: MemoryFileSystem.Image, _ mode: CommitMode,
        then operation: StoreOperation? = nil
    ) throws {
        let start = try start.buryingKeepers()
        let disk = RecordedDisk(start)
        disk.holdOthers()
        defer { disk.letOthersGoOn() }
        let store = try Session(on: disk, mode)
        var found = try store.tree()
        _ = try store.findings()
        disk.letOthersGoOn()
        store.waitForBackground()
        var trees = [found]
        var begin = 0
        found.lastNumber = 100
        if let operation, operation.applied(to: found) != nil {
            begin = disk.events.count
            trees.append(try disk.record(operation, in: store, holding: found).visible)
        }
        self.init(start: start, events: disk.events, trees: trees, begin: begin)
    }

    /// What a process did that changed nothing before `begin`, and then one thing at the most.
    private init(
        start: MemoryFileSystem.Image, events: [RecordedDisk.Event], trees: [Tree], begin: Int
    ) {
        let last = trees.count - 1
        self.init(
            start: start, events: events, trees: trees, allowed: [Set(0...last), [last]],
            begin: begin)
    }

    init(
        start: MemoryFileSystem.Image, events: [RecordedDisk.Event], trees: [Tree],
        allowed: [Set<Int>], begin: Int
    ) {
        self.start = start
        self.events = events
        self.trees = trees
        self.allowed = allowed
        self.begin = begin
    }

    /// How many operations were acknowledged between ``begin`` and `moment`.
    func acknowledgements(at moment: Int) -> Int {
        events[begin..<max(begin, moment)].count {
            if case .acknowledged = $0 { true } else { false }
        }
    }

    /// Whether the store may hold the tree number `found` after a power loss at `moment`.
    func allows(_ found: Int, at moment: Int) -> Bool {
        allowed[min(acknowledgements(at: moment), allowed.count - 1)].contains {
            trees[$0] == trees[found]
        }
    }

    /// A description of each event.
    var steps: [String] { RecordedDisk.steps(of: events, on: start) }

    /// The same without the events of lock files, whose bytes matter to running processes only.
    var withoutLocks: Recording {
        var recording = self
        let isKept = steps.map { !$0.hasSuffix(".lock") }
        recording.events = zip(events, isKept).filter(\.1).map(\.0)
        recording.begin = isKept[..<begin].count { $0 }
        return recording
    }

    /// The same as the library would have left it with the defect of `mutant`.
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

extension RecordedDisk {
    /// Records `operation` in a store that holds `tree`, and then the cleanup after it.
    ///
    /// - Returns: What the store holds afterwards.
    func record(
        _ operation: StoreOperation, in store: Session, holding tree: Tree
    ) throws -> Tree {
        // A checkpoint waits for the background work of a recovery.
        if operation != .checkpoint { holdOthers() }
        defer { letOthersGoOn() }
        try operation.step(on: tree)?.perform(in: store)
        acknowledge()
        letOthersGoOn()
        store.waitForBackground()
        return operation.applied(to: tree) ?? tree
    }
}
