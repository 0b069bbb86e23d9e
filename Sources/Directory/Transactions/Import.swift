import FileSystem
import Synchronization

/// The staged files of one write, on their way into collections.
///
/// A class, because all commits of the write share what was moved.
final class Import: Sendable {
    /// Receives the name of a staged file.
    typealias Step = @Sendable (FileName) throws -> Void

    private let stage: Stage
    let assets: [StagedAsset]
    /// Called after each file is on stable storage, to report and to cancel.
    private let step: Step
    /// The files that were moved from the stage to the open folder `own` of another transaction.
    private let moved = Mutex<[(name: FileName, asset: FileName, Transaction, own: Handle)]>([])

    init(_ stage: Stage, _ assets: [StagedAsset], step: @escaping Step) {
        (self.stage, self.assets, self.step) = (stage, assets, step)
    }

    /// The stage's folder in `.staging` of the collection that made it.
    var folder: Handle { stage.folder }
}

extension Import {
    /// Syncs the files with `names` in the folder `own` of a transaction.
    func sync(_ names: [FileName], in own: Handle) throws {
        try stage.fileSystem.syncFiles(
            names, in: own, onFailedSync: stage.didFailToSync, after: step)
    }

    /// Moves `files` from the stage to the folder of `transaction`.
    func bring(_ files: Move, to transaction: Transaction) throws {
        let own = try transaction.openOrMakeOwn()
        for (name, asset) in files.pairs {
            try transaction.fileSystem.move(name, in: folder, to: name, in: own)
            moved.withLock { $0.append((name, asset, transaction, own)) }
        }
    }

    /// Moves all files back to the stage after a failed write.
    func rollBack() throws {
        let all = moved.withLock { moved in
            defer { moved = [] }
            return moved
        }
        for (name, asset, transaction, own) in all {
            let (source, fileSystem) = (transaction.folder, transaction.fileSystem)
            let isBack = try fileSystem.moveIfPresent(name, in: own, to: name, in: folder)
            if !isBack, let assets = try source.openFolder(source.names.stem) {
                try fileSystem.moveIfPresent(asset, in: assets, to: name, in: folder)
            }
        }
    }
}
