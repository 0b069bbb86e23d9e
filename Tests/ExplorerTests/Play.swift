import FileSystem
import StoreModel
import Synchronization
import TestSupport

/// One schedule as it is played.
struct Play {
    private let schedule: Schedule
    private let start: MemoryFileSystem.Image
    private let defect: Defect?

    init(_ schedule: Schedule, from start: MemoryFileSystem.Image, _ defect: Defect?) {
        self.schedule = schedule
        self.start = start
        self.defect = defect
    }

    /// Plays the schedule.
    ///
    /// - Returns: The disk that is left, and what it may hold.
    func run(using random: inout SeededGenerator) throws -> (MemoryFileSystem, Expectation) {
        switch schedule.variant {
        case .pause: try pause(killAfter: .max)
        case .pauseThenKill: try pause(killAfter: .random(in: 1...60, using: &random))
        case .kill: try kill()
        case .power: try losePower(using: &random)
        case .cache: try loseCache(using: &random)
        }
    }

    private func first(on disk: any FileSystem) -> FirstProcess {
        FirstProcess(schedule.first, schedule.mode, on: disk, defect)
    }

    private func expectation(_ first: [Ending], _ second: [Ending]) -> Expectation {
        Expectation(first: first, second: second, schedule: schedule)
    }

    /// Kills the first process `count` calls after the second one, if it has not ended by then.
    private func pause(killAfter count: Int) throws -> (MemoryFileSystem, Expectation) {
        let disk = MemoryFileSystem(start)
        let second = try SecondProcess(schedule, on: disk, defect)
        let call = schedule.call
        let hasFirstEnded = Mutex(false)
        let (endings, log) = try first(on: disk).run { number in
            if number == call {
                hasFirstEnded.withLock { hasEnded in
                    // The first may be in code of its user, in which one thread can begin no other change.
                    if !hasEnded { onNewThread { second.run() } }
                }
            }
            return number - call < count ? .works : .killed
        }
        // If the first stopped in the background, the second may still work.
        hasFirstEnded.withLock { $0 = true }
        try disk.buryOwners()
        var others = second.run()
        let isOverwritten = log.dropFirst(call).contains {
            $0.hasPrefix("rename ") && $0.hasSuffix("/\(schedule.second.editedIndex ?? "")")
        }
        // It is removed because of what is in it.
        let isRemoved =
            schedule.first == .removeKnownProject
            && log.dropFirst(call).contains { $0.hasPrefix("rename /store/projects/Ab to ") }
        // Nobody can know of an edit between the last look at an index and its replacement or removal: an editor locks
        // nothing.
        if schedule.second.editedIndex != nil, isOverwritten || isRemoved {
            others = others.doubted
        }
        return (disk, expectation(endings, others))
    }

    private func kill() throws -> (MemoryFileSystem, Expectation) {
        let disk = MemoryFileSystem(start)
        let second = try SecondProcess(schedule, on: disk, defect)
        let first = try runFirst(on: disk)
        return (disk, expectation(first, second.run()))
    }

    private func losePower(using random: inout SeededGenerator) throws
        -> (MemoryFileSystem, Expectation)
    {
        let recorded = RecordedDisk(start)
        let first = try runFirst(on: recorded)
        let disk = MemoryFileSystem(recorded.losePower(at: recorded.moment, using: &random))
        try disk.buryOwners()
        // The second process begins after the loss.
        let second: [Ending]
        do {
            second = try SecondProcess(schedule, on: disk, defect).run()
        } catch {
            let never = Array(repeating: Ending.never, count: schedule.second.steps.count - 1)
            second = [Ending(error)] + never
        }
        return (disk, expectation(first, second))
    }

    private func loseCache(using random: inout SeededGenerator) throws
        -> (MemoryFileSystem, Expectation)
    {
        let recorded = RecordedDisk(start)
        let second = try SecondProcess(schedule, on: recorded, defect)
        let first = try runFirst(on: recorded)
        let kill = recorded.moment
        let ends = Mutex<[Int]>([])
        var others = second.run { ends.withLock { $0.append(recorded.moment) } }
        let moment = Int.random(in: kill...recorded.moment, using: &random)
        // What was not acknowledged before the loss may be there, unless it was refused before.
        for (index, end) in ends.withLock({ $0 }).enumerated() where end > moment {
            others[index] = .inDoubt
        }
        // An editor syncs one folder: a power loss can take back the place of one that came from a copy, with the edit.
        if schedule.second.editedIndex != nil, schedule.first.replacesContainers {
            others = others.doubted
        }
        let disk = MemoryFileSystem(recorded.losePower(at: moment, using: &random))
        try disk.buryOwners()
        try ByHand.moveBack(on: disk)
        return (disk, expectation(first, others))
    }

    private func runFirst(on disk: any FileSystem) throws -> [Ending] {
        let call = schedule.call
        let endings = try first(on: disk).run { $0 >= call ? .killed : .works }.endings
        try disk.buryOwners()
        return endings
    }
}
