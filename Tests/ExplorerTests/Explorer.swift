import Directory
import FileSystem
import StoreModel
import Synchronization
import TestSupport

/// Plays schedules, each on a fresh copy of the same disk.
struct Explorer: Sendable {
    private let images: [CommitMode: MemoryFileSystem.Image]

    init() throws {
        var images: [CommitMode: MemoryFileSystem.Image] = [:]
        let copy = try Tree.diskWithCopy()
        for mode in CommitMode.explored { images[mode] = try Tree.start.disk(mode, beside: copy) }
        self.images = images
    }

    func image(_ mode: CommitMode) -> MemoryFileSystem.Image {
        images[mode] ?? MemoryFileSystem().image
    }

    /// Plays a schedule, with a defect of both processes if there is one.
    ///
    /// - Throws: ``Violation``, or an error of a call that must not fail.
    func play(_ schedule: Schedule, _ defect: Defect? = nil) throws {
        let play = Play(schedule, from: image(schedule.mode), defect)
        var random = SeededGenerator(seed: schedule.seed)
        let (disk, expectation) = try play.run(using: &random)
        var inspection = Inspection(
            disk: disk, mode: schedule.mode, second: schedule.second,
            hasLostPower: schedule.variant.losesPower,
            choice: random.next())
        try inspection.check(expectation)
    }
}

extension Explorer {
    /// The calls of an operation that is not disturbed, and those of them before which the disk is
    /// another one than before the call before.
    struct Calls: Sendable {
        var count = 0
        var changing: [Int] = []
    }

    func calls(of operation: Operation, _ mode: CommitMode) throws -> Calls {
        let disk = RecordedDisk(image(mode))
        let found = Mutex((calls: Calls(), moment: -1))
        let process = FirstProcess(operation, mode, on: disk)
        _ = try process.run { call in
            found.withLock { found in
                found.calls.count = call + 1
                if disk.moment != found.moment { found.calls.changing.append(call) }
                found.moment = disk.moment
            }
            return .works
        }
        return found.withLock { $0.calls }
    }
}

extension CommitMode {
    /// The modes of schedules.
    static let explored: [CommitMode] = [.rewrite, .journal]
}
