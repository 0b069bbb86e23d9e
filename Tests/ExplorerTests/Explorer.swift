import Directory
import FileSystem
import StoreModel
import Synchronization
import TestSupport

/// Plays schedules, each on a fresh copy of the same disk.
struct Explorer: Sendable {
    private let images: [Session.Mode: MemoryFileSystem.Image]

    init() throws {
        var images: [Session.Mode: MemoryFileSystem.Image] = [:]
        for mode in Session.Mode.allCases { images[mode] = try Self.disk(mode) }
        self.images = images
    }

    /// A disk with ``Tree/start``, beside whose indexes there are journals if `mode` writes them.
    private static func disk(_ mode: Session.Mode) throws -> MemoryFileSystem.Image {
        let disk = MemoryFileSystem()
        let process = ProcessFileSystem(disk)
        let session = try Session(on: process, mode)
        try fill(.projects, with: Tree.start.projects, [], in: session)
        try fill(.archive, with: Tree.start.archive, nil, in: session)
        // No journal is written into its index at the end.
        process.kill()
        return disk.image
    }

    private static func fill(
        _ shelf: Shelf, with nodes: [Tree.Node], _ path: [Int]?, in session: Session
    ) throws {
        for node in nodes {
            try Step.appendBox(node.box, on: shelf).perform(in: session)
            guard let path = path.map({ $0 + [node.box.id] }) else {
                let photos = try session.archive.child(.photos, of: node.box.id)
                for name in node.photos { try photos.insert(Tree.bytes(of: name), name: name) }
                continue
            }
            try session.notes(in: path).append(contentsOf: node.notes)
            for name in node.photos {
                try Step.importPhotos([name], into: path).perform(in: session)
            }
            try fill(.parts(path), with: node.parts, path, in: session)
        }
    }

    func image(_ mode: Session.Mode) -> MemoryFileSystem.Image {
        images[mode] ?? MemoryFileSystem().image
    }

    /// Plays a schedule, with a defect of both processes if there is one.
    ///
    /// - Throws: ``Violation``, or an error of a call that must not fail.
    func play(_ schedule: Schedule, _ defect: Defect? = nil) throws {
        let play = Play(schedule, from: image(schedule.mode), defect)
        var random = SeededGenerator(seed: schedule.seed)
        let (disk, expectation) = try play.run(using: &random)
        try Inspection(disk: disk, mode: schedule.mode, choice: random.next())
            .check(expectation)
    }
}

extension Explorer {
    /// The calls of an operation that is not disturbed, and those of them before which the disk is
    /// another one than before the call before.
    struct Calls: Sendable {
        var count = 0
        var changing: [Int] = []
    }

    func calls(of operation: Operation, _ mode: Session.Mode) throws -> Calls {
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
