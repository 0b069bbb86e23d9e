import Directory
import DirectoryTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

/// One progress for the copies of a stage and for its insert.
struct StageProgressTests {
    let sandbox: Sandbox
    let pieces: Directory<Piece>

    init() throws {
        sandbox = try Sandbox()
        pieces = try sandbox.pieces("store")
    }

    private func source(_ name: String, _ byteCount: Int) throws -> URL {
        try sandbox.write(Data(count: byteCount), to: "in/\(name)")
    }

    /// The items of the insert need not use all copies, and those that they use can be empty.
    @Test(arguments: [[], [0], [1], [2], [3], [0, 1, 2, 3]])
    func fractionNeverGoesBackInAnInsert(of used: [Int]) throws {
        let progress = RecordingProgress()
        let stage = try pieces.makeStage()
        for (number, size) in [0, 1, 3, 5000].enumerated() {
            try stage.copy(source("\(number)", size), progress: progress)
        }
        progress.fractions.withLock { $0 = [] }
        try pieces.write(importing: stage, progress: progress) { draft, assets in
            for number in used {
                let asset = assets[number]
                try draft.append(Piece(id: number, fileName: asset.name), file: asset)
            }
        }
        let fractions = progress.fractions.withLock { [0.49] + $0 }
        #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 }, "\(fractions)")
        #expect(fractions.last == 1 && progress.isFinished)
    }

    @Test func cancelledProgressCopiesNothing() throws {
        let progress = Progress(totalUnitCount: 0)
        progress.cancel()
        let stage = try pieces.makeStage()
        let empty = try [source("a", 0), source("b", 0)]
        #expect(throws: CancellationError.self) { try stage.copy([], progress: progress) }
        #expect(throws: CancellationError.self) { try stage.copy(empty[0], progress: progress) }
        #expect(throws: CancellationError.self) { try stage.copy(empty, progress: progress) }
        #expect(throws: CancellationError.self) {
            try stage.copy(readable: empty, progress: progress)
        }
        #expect(throws: CancellationError.self) { try stage.move(empty[0], progress: progress) }
        #expect(stage.assets.isEmpty && sandbox.exists("in/a"))
    }
}

/// A progress that notes its fraction after each change.
private final class RecordingProgress: Progress, @unchecked Sendable {
    let fractions = Mutex<[Double]>([])

    init() { super.init(parent: nil, userInfo: nil) }

    override var completedUnitCount: Int64 { didSet { note() } }
    override var totalUnitCount: Int64 { didSet { note() } }

    private func note() { fractions.withLock { $0.append(fractionCompleted) } }
}
