import FileSystem
import Synchronization

/// The staged files of one write, on their way into collections.
struct Import: Sendable {
    /// Receives the name of a staged file.
    typealias Step = @Sendable (FileName) throws -> Void

    /// The collection that made the stage.
    let collection: IndexFolder
    /// The stage's folder in `.staging` of ``collection``, and its name.
    let folder: Handle
    let name: FileName
    let assets: [StagedAsset]
    /// Called after each file is on stable storage, to report and to cancel.
    let step: Step
    /// Whether the commit that uses this value is one to ``collection``.
    var isAtHome = true
    private let moves = Moves()

    init(_ stage: Stage, _ assets: [StagedAsset], step: @escaping Step) {
        self.assets = assets
        (collection, folder, name) = (stage.collection, stage.folder, stage.name)
        self.step = step
    }

    private final class Moves: Sendable {
        let all = Mutex<[Move]>([])
    }

    /// A file that was moved from the stage to the folder of another transaction.
    private struct Move: Sendable {
        let file: Intent.Import
        let transaction: Transaction
        let own: Handle
    }
}

extension Import {
    /// The digits at the end of the names of all transactions that use the stage.
    var number: String { IndexNames.transaction(of: name) }

    /// Whether the folder of `transaction` in `.staging` is the stage.
    func isStage(of transaction: Transaction) -> Bool {
        isAtHome && transaction.name == name
    }

    /// Moves `files` from the stage to the folder of `transaction`, unless that is the stage.
    func bring(_ files: [Intent.Import], to transaction: Transaction) throws {
        if files.isEmpty || isStage(of: transaction) { return }
        let own = try transaction.openOrMakeOwn()
        for file in files {
            try transaction.fileSystem.move(file.staged, in: folder, to: file.staged, in: own)
            moves.all.withLock { $0.append(Move(file: file, transaction: transaction, own: own)) }
        }
    }

    /// Moves all files back to the stage after a failed write.
    func rollBack() throws {
        let moved = moves.all.withLock { moves in
            defer { moves = [] }
            return moves
        }
        for move in moved {
            let (source, file) = (move.transaction.folder, move.file)
            let fileSystem = source.fileSystem
            let isBack = try fileSystem.moveIfPresent(
                file.staged, in: move.own, to: file.staged, in: folder)
            if !isBack, let assets = try source.openFolder(source.names.stem) {
                try fileSystem.moveIfPresent(file.asset, in: assets, to: file.staged, in: folder)
            }
        }
    }
}
