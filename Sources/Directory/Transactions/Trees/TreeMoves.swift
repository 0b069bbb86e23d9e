import FileSystem

/// The folders and files that a write moves from one index to another.
struct TreeMoves {
    let moves: [TreeIntent.Move]
    /// The folders of the participants, in the order of the list.
    let folders: [IndexFolder]
}

extension TreeMoves {
    /// Moves to their new places what is not there yet.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken` if something else is at one of the places.
    func goForward() throws {
        try run(moves) { throw folders[$0.participant].nameIsTaken($0.name) }
    }

    /// Moves back what has moved.
    ///
    /// What still has its old name has not moved: something else may have the new one, and stays.
    func goBack() throws {
        try run(moves.map { .init(from: $0.to, to: $0.from) }) { _ in }
        for spot in moves.map(\.to) where spot.assets != nil {
            try folders[spot.participant].removeAssetsFolderIfEmpty()
        }
    }

    /// Gets the containers' folders ready to move, also those that have moved already if `back`.
    func takeFolders(_ hold: inout FolderHold, back: Bool) throws {
        let spots = moves.map(\.from) + (back ? moves.map(\.to) : [])
        for (number, folder) in folders.enumerated() {
            let names = spots.filter { $0.participant == number && $0.assets == nil }.map(\.name)
            if !names.isEmpty { try hold.takeToMove(names, in: folder) }
        }
    }

    /// Looks into all folders: a transfer that may not do that could not be undone either.
    func checkAccess() throws {
        var known: [TreeIntent.Spot: Handle] = [:]
        for spot in moves.flatMap({ [$0.from, $0.to] }) {
            guard let folder = try open(spot, &known) else { continue }
            _ = try folders[spot.participant].fileSystem.status(of: spot.name, in: folder)
        }
    }

    /// `participants`, of which those come last that items leave: an item may be in two of them for a moment, never in
    /// none.
    func sourcesLast<Participant>(_ participants: [Participant]) -> [Participant] {
        let sources = Set(moves.map(\.from.participant))
        let (first, last) = (
            participants.indices.filter { !sources.contains($0) },
            participants.indices.filter(sources.contains)
        )
        return (first.reversed() + last).map { participants[$0] }
    }

    /// Moves what has not moved yet, and syncs both folders of each move, the target first.
    ///
    /// They are synced even if nothing is left to move: a process that has died may have moved all and synced
    /// nothing.
    private func run(
        _ moves: [TreeIntent.Move], ifTaken: (TreeIntent.Spot) throws -> Void
    ) throws {
        var sources: [TreeIntent.Spot: Handle] = [:]
        var targets: [TreeIntent.Spot: Handle] = [:]
        for move in moves {
            let old = try open(move.from, &sources)
            _ = try open(move.to, &targets)
            let fileSystem = folders[move.from.participant].fileSystem
            guard let old, let left = try fileSystem.status(of: move.from.name, in: old) else {
                continue
            }
            let new = try openOrMake(move.to, &targets)
            try self.move(move, left, from: old, to: new, ifTaken: ifTaken)
        }
        for folder in Array(targets.values) + sources.values {
            try folders[0].fileSystem.sync(folder)
        }
    }

    private func move(
        _ move: TreeIntent.Move, _ left: FileStatus, from old: Handle, to new: Handle,
        ifTaken: (TreeIntent.Spot) throws -> Void
    ) throws {
        let target = folders[move.to.participant]
        let fileSystem = target.fileSystem
        if let taken = try fileSystem.status(of: move.to.name, in: new) {
            guard taken.identity == left.identity else { return try ifTaken(move.to) }
            // A power loss can leave a file in both folders.
            return try fileSystem.removeFile(move.from.name, in: old)
        }
        // It gets the data protection of the target before it moves.
        try target.protectTree(move.from.name, in: old)
        try fileSystem.rename(
            move.from.name, in: old, to: move.to.name, in: new, replacing: false)
    }

    /// Opens the folder of `spot`; nil if it is missing.
    private func open(_ spot: TreeIntent.Spot, _ known: inout [TreeIntent.Spot: Handle]) throws
        -> Handle?
    {
        try handle(of: spot, &known) { index in
            guard let assets = spot.assets else { return index.handle }
            return try index.openFolder(assets)
        }
    }

    private func openOrMake(_ spot: TreeIntent.Spot, _ known: inout [TreeIntent.Spot: Handle])
        throws
        -> Handle
    {
        let index = folders[spot.participant]
        return try handle(of: spot, &known) { index in
            try spot.assets.map { try index.openOrMake($0) } ?? index.handle
        } ?? index.handle
    }

    /// Each folder is opened once.
    private func handle(
        of spot: TreeIntent.Spot, _ known: inout [TreeIntent.Spot: Handle],
        open: (IndexFolder) throws -> Handle?
    ) throws -> Handle? {
        var key = spot
        key.name = IndexNames.staging
        if let found = known[key] { return found }
        let found = try open(folders[spot.participant])
        known[key] = found
        return found
    }
}
