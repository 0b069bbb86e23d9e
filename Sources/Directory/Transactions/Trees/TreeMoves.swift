import FileSystem

/// The folders and files that a write moves from one index to another.
struct TreeMoves {
    let moves: [TreeList.Move]
    /// What the names of the transactions of the write have in common.
    let number: String
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
        try run(moves.reversed().map { .init(from: $0.to, to: $0.from) }) { _ in }
        for spot in moves.map(\.to) where spot.assets != nil {
            try folders[spot.participant].removeAssetsFolderIfEmpty()
        }
    }

    /// Gets the containers' folders ready to move, also those that have moved already if `back`.
    func takeFolders(_ hold: inout FolderHold, back: Bool) throws {
        let spots = moves.map(\.from) + (back ? moves.map(\.to) : [])
        for (number, folder) in folders.enumerated() {
            let names = spots.filter {
                $0.participant == number && $0.assets == nil && $0.staged == nil
            }.map(\.name)
            if !names.isEmpty { try hold.takeToMove(names, in: folder) }
        }
    }

    /// Looks into all folders: a transfer that may not do that could not be undone either.
    func checkAccess() throws {
        var known: [TreeList.Spot: Handle] = [:]
        for spot in moves.flatMap({ [$0.from, $0.to] }) where known[spot.inFolder] == nil {
            guard let folder = try open(spot, &known) else { continue }
            _ = try folders[spot.participant].fileSystem.status(of: spot.name, in: folder)
        }
    }

    /// The participants in the order in which their indexes get new lines: what is inside comes before what it is in.
    ///
    /// Those come last that items leave: an item may be in two of them for a moment, never in none.
    func inCommitOrder<Participant>(_ participants: [Participant]) -> [Participant] {
        let sources = Set(
            moves.filter { $0.from.participant != $0.to.participant }.map(\.from.participant))
        let numbers = participants.indices
        let order =
            numbers.reversed().filter { !sources.contains($0) } + numbers.filter(sources.contains)
        return order.map { participants[$0] }
    }

    /// Moves what has not moved yet, and syncs both folders of each move, the target first.
    ///
    /// They are synced even if nothing is left to move: a process that has died may have moved all and synced
    /// nothing. What goes to the folder of a transaction is synced before anything gets the names that become free.
    private func run(
        _ moves: [TreeList.Move], ifTaken: (TreeList.Spot) throws -> Void
    ) throws {
        var rest = moves[...]
        while let first = rest.first {
            let group = rest.prefix { ($0.to.staged == nil) == (first.to.staged == nil) }
            try run(group, ifTaken: ifTaken)
            rest = rest.dropFirst(group.count)
        }
    }

    private func run(
        _ moves: ArraySlice<TreeList.Move>, ifTaken: (TreeList.Spot) throws -> Void
    ) throws {
        var sources: [TreeList.Spot: Handle] = [:]
        var targets: [TreeList.Spot: Handle] = [:]
        for move in moves {
            let old = try open(move.from, &sources)
            let new = try open(move.to, &targets)
            guard let old, try new != nil || isThere(move.from, in: old) else { continue }
            try self.move(move, from: old, to: new ?? make(move.to, &targets), ifTaken: ifTaken)
        }
        for folder in Array(targets.values) + sources.values {
            try folders[0].fileSystem.sync(folder)
        }
    }

    private func move(
        _ move: TreeList.Move, from old: Handle, to new: Handle,
        ifTaken: (TreeList.Spot) throws -> Void
    ) throws {
        let target = folders[move.to.participant]
        let fileSystem = target.fileSystem
        if let taken = try fileSystem.status(of: move.to.name, in: new) {
            // It has moved before. What has its name now may be what took its place.
            if move.to.staged != nil { return }
            guard let left = try fileSystem.status(of: move.from.name, in: old) else { return }
            guard taken.identity == left.identity else { return try ifTaken(move.to) }
            // A power loss can leave a file in both folders.
            return try fileSystem.removeFile(move.from.name, in: old)
        }
        // It gets the data protection of the target before it moves.
        try target.protectTree(move.from.name, in: old)
        try fileSystem.moveIfPresent(move.from.name, in: old, to: move.to.name, in: new)
    }

    private func isThere(_ spot: TreeList.Spot, in folder: Handle) throws -> Bool {
        try folders[spot.participant].fileSystem.status(of: spot.name, in: folder) != nil
    }

    /// Opens the folder of `spot`, each once; nil if it is missing.
    private func open(_ spot: TreeList.Spot, _ known: inout [TreeList.Spot: Handle]) throws
        -> Handle?
    {
        if let found = known[spot.inFolder] { return found }
        let index = folders[spot.participant]
        let found: Handle?
        if let path = spot.staged {
            let name = try index.names.transactionFolder(number)
            let own = try index.openFolder(name, in: IndexNames.staging)
            found = try own.flatMap { try index.fileSystem.openFolder(path, in: $0) }
        } else {
            found = try spot.assets.map { try index.openFolder($0) } ?? index.handle
        }
        known[spot.inFolder] = found
        return found
    }

    private func make(_ spot: TreeList.Spot, _ known: inout [TreeList.Spot: Handle]) throws
        -> Handle
    {
        let index = folders[spot.participant]
        guard let assets = spot.assets else { return index.handle }
        let made = try index.openOrMake(assets)
        known[spot.inFolder] = made
        return made
    }
}

extension TreeList.Spot {
    /// The same for all that is in one folder.
    fileprivate var inFolder: Self {
        var spot = self
        spot.name = IndexNames.staging
        return spot
    }
}
