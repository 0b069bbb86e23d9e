import FileSystem

/// The folders and files that a write moves from one index to another.
struct JointMoves {
    let moves: [Move]
    /// The digits at the end of the names of all transactions of the write.
    let number: String
    /// The folders of the participants, by their numbers.
    let folders: [IndexFolder]
}

extension JointMoves {
    /// Moves the folders and files that are not at their new places yet.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken` if something else is at one of the places.
    func goForward() throws {
        try run(moves) { name, move in
            // If it is in the folder of a transaction, it has moved before, and something else has its old name.
            if move.to.staged == nil { throw folders[move.to.participant].nameIsTaken(name) }
        }
    }

    /// Moves back the folders and files that have moved.
    ///
    /// One that still has its old name has not moved: something else may have the new name, and stays.
    ///
    /// - Throws: ``DirectoryError`` with `nameTaken` if one is in the folder of a transaction, and something else has
    ///   its old name.
    func goBack() throws {
        try run(moves.reversed().map(\.reversed)) { name, move in
            if move.from.staged != nil { throw folders[move.to.participant].nameIsTaken(name) }
        }
        for target in moves.map(\.to) where target.assets != nil {
            try folders[target.participant].removeAssetsFolderIfEmpty()
        }
    }

    /// Whether one of the folders that come from a copy or from `.removed` is at its new place.
    func havePlacedFolder() throws -> Bool {
        var known: [Move.Folder: Handle] = [:]
        return try moves.contains { move in
            // After a power loss the part of the home can be there without the copy. Then nothing has moved.
            guard !move.from.isVisible, move.to.hasContainers,
                let source = try open(move.from, &known)
            else { return false }
            let target = folders[move.to.participant].handle
            return try move.pairs.contains { name, newName in
                try !isThere(name, in: source) && isThere(newName, in: target)
            }
        }
    }

    /// Whether something may have moved, as far as the participants show that are not `missing`.
    func mayHaveBegun(without missing: Set<Int>) throws -> Bool {
        var known: [Move.Folder: Handle] = [:]
        return try moves.contains { move in
            if !missing.contains(move.to.participant) {
                guard let target = try open(move.to, &known) else { return false }
                return try move.targets.contains { try isThere($0, in: target) }
            }
            guard !missing.contains(move.from.participant),
                let source = try open(move.from, &known)
            else { return true }
            return try !move.names.allSatisfy { try isThere($0, in: source) }
        }
    }

    /// The names of the containers' folders that leave the participant with `number`.
    func containers(leaving number: Int) -> [FileName] {
        Self.containers(leaving: number, in: moves)
    }

    private static func containers(leaving number: Int, in moves: [Move]) -> [FileName] {
        moves.filter { $0.from.participant == number && $0.from.hasContainers }.flatMap(\.names)
    }

    /// Ends the writes to several collections inside the folders that are about to move, at their new places too if `back`.
    func endJointWritesInside(back: Bool) throws {
        let moves = moves + (back ? moves.map(\.reversed) : [])
        var known: [Move.Folder: Handle] = [:]
        for (number, folder) in folders.enumerated() {
            try folder.endJointWrites(inside: Self.containers(leaving: number, in: moves))
        }
        for move in moves where move.from.kept != nil && move.to.hasContainers {
            let index = folders[move.from.participant]
            guard let kept = try open(move.from, &known) else { continue }
            try IndexFolder(store: index.store, handle: kept).endJointWrites(inside: move.names)
        }
    }

    /// Checks that all folders can be read, that none moves into itself, and that the system can move files between
    /// them: otherwise a transfer could not be rolled back either.
    ///
    /// - Throws: ``DirectoryError`` with `crossVolume` or `invalidLocation`.
    func check() throws {
        var known: [Move.Folder: Handle] = [:]
        for move in moves
        where move.from.hasContainers && move.from.participant != move.to.participant {
            guard let source = try open(move.from, &known) else { continue }
            let target = folders[move.to.participant].handle
            let above = Set(try fileSystem.foldersUpwards(from: target).map(\.identity))
            for name in move.names {
                guard let found = try fileSystem.status(of: name, in: source)?.identity,
                    above.contains(found)
                else { continue }
                throw DirectoryError(
                    .invalidLocation, "move", source.url(of: name),
                    "a folder cannot be moved into itself",
                    remedy: "Choose a collection that is not in this folder.",
                    people: .init(
                        reason: "a folder cannot be moved into itself",
                        remedy: "Choose a place that is not in this folder."))
            }
        }
        for move in moves + moves.map(\.reversed) where known[move.from] == nil {
            guard let folder = try open(move.from, &known) else { continue }
            for name in move.names.prefix(1) { _ = try isThere(name, in: folder) }
        }
        var checked: Set<[Move.Folder]> = []
        for move in moves where checked.insert([move.from, move.to]).inserted {
            guard let source = try open(move.from, &known) else { continue }
            let target = try open(move.to, &known) ?? folders[move.to.participant].handle
            if try !fileSystem.canMove(from: source, to: target) {
                throw isOnOtherVolume(
                    source,
                    "its new place is on another volume, or on another mount of the same one")
            }
        }
        for move in moves where move.from.hasContainers {
            guard let source = try open(move.from, &known) else { continue }
            for name in move.names {
                guard let inner = try fileSystem.openFolder([name], in: source),
                    try !fileSystem.canMove(from: inner, to: source)
                else { continue }
                throw isOnOtherVolume(inner, "a volume is mounted there, which cannot move")
            }
        }
    }

    private var fileSystem: any FileSystem { folders[0].fileSystem }

    private func isOnOtherVolume(_ folder: Handle, _ reason: String) -> DirectoryError {
        DirectoryError(
            .crossVolume, "move items from", folder.url, reason)
    }

    /// The numbers of the participants in the order in which their indexes get new lines: inner collections before outer ones.
    ///
    /// Indexes that items leave come last: an item may be in two of them for a moment, never in none.
    var commitOrder: [Int] {
        folders.indices.reversed().filter { !isSource($0) } + folders.indices.filter(isSource)
    }

    /// Whether something moves to or from the transaction's folder of the participant with `number`.
    func areStaged(for number: Int) -> Bool {
        moves.contains { move in
            [move.from, move.to].contains { $0.participant == number && $0.staged != nil }
        }
    }

    /// Whether items leave the participant with `number` for another one.
    func isSource(_ number: Int) -> Bool {
        moves.contains { $0.from.participant == number && $0.to.participant != number }
    }

    /// Makes the moves that are still to be made, and syncs both folders of each, the target first.
    ///
    /// They are synced even if nothing is left to move: a dead process may have moved all and synced nothing. A move
    /// into the folder of a transaction is synced before another move uses the name that becomes free.
    private func run(
        _ moves: [Move], ifTaken: (FileName, Move) throws -> Void
    ) throws {
        var rest = moves[...]
        while let first = rest.first {
            let group = rest.prefix { ($0.to.staged == nil) == (first.to.staged == nil) }
            try run(group, ifTaken: ifTaken)
            rest = rest.dropFirst(group.count)
        }
    }

    private func run(
        _ moves: ArraySlice<Move>, ifTaken: (FileName, Move) throws -> Void
    ) throws {
        var sources: [Move.Folder: Handle] = [:]
        var targets: [Move.Folder: Handle] = [:]
        // One name that is taken does not keep the others from their places.
        var firstError: (any Error)?
        for move in moves {
            let source = try open(move.from, &sources)
            var target = try open(move.to, &targets)
            guard let source else { continue }
            for (name, newName) in move.pairs {
                if target == nil, try isThere(name, in: source) {
                    target = try make(move.to, &targets)
                }
                guard let target else { continue }
                if try !self.move(name, in: source, to: newName, in: target, move.to) {
                    do { try ifTaken(newName, move) } catch { firstError = firstError ?? error }
                }
            }
        }
        for folder in Array(targets.values) + sources.values {
            try fileSystem.sync(folder)
        }
        if let firstError { throw firstError }
    }

    /// Moves a folder or a file, if it is there.
    ///
    /// - Returns: Whether the new name was free.
    private func move(
        _ name: FileName, in source: Handle, to newName: FileName, in target: Handle,
        _ place: Move.Folder
    ) throws -> Bool {
        let index = folders[place.participant]
        // The folder or file gets the data protection of the target before it moves.
        if index.options.protection != nil, try !isThere(newName, in: target) {
            try index.protectTree(name, in: source)
        }
        do {
            try index.fileSystem.moveIfPresent(name, in: source, to: newName, in: target)
            return true
        } catch let error as FileSystemError where error.code == .fileExists {
            return false
        }
    }

    private func isThere(_ name: FileName, in folder: Handle) throws -> Bool {
        try fileSystem.status(of: name, in: folder) != nil
    }

    /// Opens `folder`, once; nil if it is missing.
    private func open(_ folder: Move.Folder, _ known: inout [Move.Folder: Handle]) throws
        -> Handle?
    {
        if let found = known[folder] { return found }
        let index = folders[folder.participant]
        let found: Handle?
        if let path = folder.staged {
            let name = try index.names.transactionFolder(number)
            let own = try index.openFolder(name, in: IndexNames.staging)
            found = try own.flatMap { try index.fileSystem.openFolder(path, in: $0) }
        } else if let kept = folder.kept {
            found = try index.openKept(kept)
        } else {
            found = try folder.assets.map { try index.openFolder($0) } ?? index.handle
        }
        known[folder] = found
        return found
    }

    /// Makes `folder` if it is an assets folder.
    ///
    /// - Returns: Nil for a folder in that of a transaction: nothing has ever been there.
    private func make(_ folder: Move.Folder, _ known: inout [Move.Folder: Handle]) throws
        -> Handle?
    {
        guard let assets = folder.assets else { return nil }
        let made = try folders[folder.participant].openOrMake(assets)
        known[folder] = made
        return made
    }
}
