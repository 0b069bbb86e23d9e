import FileSystem
import StoreModel
import TestSupport

/// What a process did to a disk.
struct Recording: Sendable {
    let start: MemoryFileSystem.Image
    private(set) var events: [RecordedDisk.Event]
    /// What the store held before the last operation, and after it if there was one.
    private(set) var contents: [StoreContents]
    /// The moment at which the last operation began.
    private(set) var begin: Int

    /// Performs the operations of `workload`.
    init(_ workload: Workload, from start: MemoryFileSystem.Image) throws {
        let disk = RecordedDisk(start)
        let store = try Store(on: disk, workload.mode)
        var contents = [StoreContents.small]
        var begin = 0
        for operation in workload.operations {
            begin = disk.events.count
            contents.append(
                try disk.record(operation, in: store, holding: contents[contents.count - 1]))
        }
        self.start = start
        self.contents = contents.suffix(2).map(\.visible)
        self.begin = begin
        events = disk.events
    }

    /// Opens the store on a disk as the next process after a power loss does, and performs
    /// `operation` if there is one.
    ///
    /// What this process sees when it has opened the store must survive another power loss.
    init(
        recovering start: MemoryFileSystem.Image, _ mode: CommitMode,
        then operation: StoreOperation? = nil
    ) throws {
        let disk = RecordedDisk(start)
        disk.holdOthers()
        defer { disk.letOthersGoOn() }
        let store = try Store(on: disk, mode)
        var found = try store.contents()
        _ = try store.findings()
        disk.letOthersGoOn()
        store.waitForCleanup()
        self.start = start
        contents = [found]
        begin = 0
        found.lastNumber = 100
        if let operation, operation.applied(to: found) != nil {
            begin = disk.events.count
            contents.append(try disk.record(operation, in: store, holding: found).visible)
        }
        events = disk.events
    }

    /// Whether the last operation was acknowledged before `moment`.
    func isAcknowledged(at moment: Int) -> Bool {
        events[begin..<max(begin, moment)].contains {
            if case .acknowledged = $0 { true } else { false }
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
    /// Records `operation` in a store that holds `contents`, and then the cleanup after it.
    ///
    /// - Returns: What the store holds afterwards.
    fileprivate func record(
        _ operation: StoreOperation, in store: Store, holding contents: StoreContents
    ) throws -> StoreContents {
        holdOthers()
        defer { letOthersGoOn() }
        try operation.perform(in: store, holding: contents)
        acknowledge()
        letOthersGoOn()
        store.waitForCleanup()
        return operation.applied(to: contents) ?? contents
    }
}
