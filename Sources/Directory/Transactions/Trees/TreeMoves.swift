import FileSystem

/// The folders and files that a write moves from one index to another.
struct TreeMoves {
    let moves: [TreeList.Move]
    /// The digits at the end of the names of all transactions of the write.
    let number: String
    /// The folders of the participants, in the order of the list.
    let folders: [IndexFolder]
}

extension TreeMoves {
    /// Moves the folders and files that are not at their new places yet.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken` if something else is at one of the places.
    func goForward() throws {
        try run(moves) { throw folders[$0.participant].nameIsTaken($0.name) }
    }

    /// Moves back the folders and files that have moved.
    ///
    /// One that still has its old name has not moved: something else may have the new name, and stays.
    func goBack() throws {
        try run(moves.reversed().map { .init(from: $0.to, to: $0.from) }) { _ in }
        for spot in moves.map(\.to) where spot.assets != nil {
            try folders[spot.participant].removeAssetsFolderIfEmpty()
        }
    }

    /// Whether one of the folders that come from a copy is at its new place.
    func havePlacedFolder() throws -> Bool {
        var known: [TreeList.Spot: Handle] = [:]
        return try moves.contains { move in
            guard move.from.staged != nil, move.to.staged == nil, move.to.assets == nil else {
                return false
            }
            // After a power loss the list can be there without the copy. Then nothing has moved.
            guard let copy = try open(move.from, &known), try !isThere(move.from, in: copy) else {
                return false
            }
            return try isThere(move.to, in: folders[move.to.participant].handle)
        }
    }

    /// Locks the containers' folders that are about to move, at their new places too if `back`.
    func takeFolders(_ hold: inout FolderHold, back: Bool) throws {
        let spots = moves.map(\.from) + (back ? moves.map(\.to) : [])
        for (number, folder) in folders.enumerated() {
            let names = spots.filter {
                $0.participant == number && $0.assets == nil && $0.staged == nil
            }.map(\.name)
            if !names.isEmpty { try hold.takeToMove(names, in: folder) }
        }
    }

    /// Checks that all folders can be read: without that access, a transfer could not be rolled back either.
    func checkAccess() throws {
        var known: [TreeList.Spot: Handle] = [:]
        for spot in moves.flatMap({ [$0.from, $0.to] }) where known[spot.inFolder] == nil {
            guard let folder = try open(spot, &known) else { continue }
            _ = try folders[spot.participant].fileSystem.status(of: spot.name, in: folder)
        }
    }

    /// The participants in the order in which their indexes get new lines: inner collections before outer ones.
    ///
    /// Indexes that items leave come last: an item may be in two of them for a moment, never in none.
    func inCommitOrder<Participant>(_ participants: [Participant]) -> [Participant] {
        let sources = Set(
            moves.filter { $0.from.participant != $0.to.participant }.map(\.from.participant))
        let numbers = participants.indices
        let order =
            numbers.reversed().filter { !sources.contains($0) } + numbers.filter(sources.contains)
        return order.map { participants[$0] }
    }

    /// Makes the moves that are still to be made, and syncs both folders of each, the target first.
    ///
    /// They are synced even if nothing is left to move: a dead process may have moved all and synced nothing. A move
    /// into the folder of a transaction is synced before another move uses the name that becomes free.
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
        // The folder or file gets the data protection of the target before it moves.
        if try !isThere(move.to, in: new) { try target.protectTree(move.from.name, in: old) }
        do {
            try target.fileSystem.moveIfPresent(
                move.from.name, in: old, to: move.to.name, in: new)
        } catch let error as FileSystemError where error.code == .fileExists {
            // If it is in the folder of a transaction, it has moved before, and something else has its old name.
            if move.to.staged == nil { try ifTaken(move.to) }
        }
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
    /// A value that all spots in one folder share.
    fileprivate var inFolder: Self {
        var spot = self
        spot.name = IndexNames.staging
        return spot
    }
}
