import FileSystem

/// The records of a write to several collections, in the journals of its parts.
///
/// One part is the home. Each part is prepared, which changes nothing yet; the commit in the home's journal decides that
/// the write takes place; then the other parts are committed. If the process dies before the decision, no part counts;
/// if it dies after it, the next process that locks one of the indexes commits the others (``JointRecovery``).
///
/// Source: C. Mohan, B. Lindsay, R. Obermarck, "Transaction Management in the R* Distributed Database Management
/// System", 1986: two-phase commit with presumed abort.
final class JointWrite {
    /// The folders and files that move from one part to another.
    let moves: JointMoves
    /// The collection that the write was called on; it need not change.
    private let caller: IndexFolder
    private let parts: [CommitPart]
    private let number: String
    /// The names of the transactions of all parts.
    private let names: [FileName]
    /// The number of the home.
    private let home: Int
    /// The paths between the folders of the caller and of each part, there and back, from each place where they can be.
    private var paths: [(there: [String], back: [String])] = []
    private var hold: FolderHold

    /// Begins the write; verifications in this process leave it alone until this value is released.
    init(_ commit: Commit) throws {
        let (parts, number) = (commit.parts, commit.number ?? RandomName.digits())
        moves = JointMoves(moves: commit.moves, number: number, folders: parts.map(\.folder))
        (caller, self.parts, self.number) = (commit.home, parts, number)
        // The home's lines change first, so it is none that items leave, unless items leave all of them.
        home = moves.isSource(0) ? moves.commitOrder.first ?? 0 : 0
        hold = FolderHold(of: parts.first?.draft.write?.session.lockFiles ?? [])
        names = try parts.map { try $0.folder.names.transactionFolder(number) }
        names.forEach(LiveTransactions.joint.insert)
    }

    deinit { names.forEach(LiveTransactions.joint.remove) }

    /// The part whose commit decides that the write takes place.
    var homePart: CommitPart { parts[home] }
}

extension JointWrite {
    /// Keeps the folders between the parts where they are, and checks what moves between them.
    ///
    /// - Throws: ``Busy`` if a folder has moved just now, or if a collection that can move it is in use.
    func keepFoldersInPlace() throws {
        // Recovery needs locks that this write shares afterwards.
        try moves.endJointWritesInside(back: false)
        try keepWaysInPlace()
        try moves.check()
        paths = try parts.map { part in
            switch part.place {
            case .home: ([""], [""])
            case .below(let paths):
                (
                    paths,
                    Set(paths.map { $0.split(separator: "/").count }).sorted().map {
                        repeatElement("..", count: $0).joined(separator: "/")
                    }
                )
            case .elsewhere:
                ([try caller.path(to: part.folder)], [try part.folder.path(to: caller)])
            }
        }
    }

    private func keepWaysInPlace() throws {
        for part in parts {
            if case .elsewhere = part.place {
                try hold.keepInPlace(between: caller, and: part.folder)
            }
        }
    }

    /// Prepares all parts, durably.
    ///
    /// The home comes last, and need not be durable before the decision, if nothing moves between the parts, and the
    /// others are below it, so that it cannot be removed without them. Else it comes first: whoever removes or moves its
    /// folder then ends the write.
    func prepare() throws {
        // A power loss must not take the folder away that something moves to or from.
        for (position, name) in names.enumerated() where moves.areStaged(for: position) {
            try parts[position].folder.syncTransaction(name)
        }
        let others = parts.indices.filter { $0 != home }
        let comesFirst = !moves.moves.isEmpty || others.contains { !isBelowHome($0) }
        if comesFirst {
            try prepare(home)
            try LockedIndex.syncRecords(of: [homePart.index])
        }
        for position in others { try prepare(position) }
        if !comesFirst { try prepare(home) }
        // In a journal that was there, the record of the home is synced with the decision.
        let unsynced = parts.filter { $0 !== homePart || $0.index.newJournal != nil }
        try LockedIndex.syncRecords(of: unsynced.map(\.index))
        // The journals stay open until the locks are released: once the write is decided, it must not need one more file.
        for part in parts { _ = try part.index.lock.openJournal() }
        // An index that nobody had locked can have got its lock file meanwhile. Its holder looks for records before it
        // moves a folder, and so sees these, or is seen here.
        try keepWaysInPlace()
    }

    /// Whether the folder of the part with `number` is that of the home or inside it.
    private func isBelowHome(_ number: Int) -> Bool {
        paths(from: home, to: number).allSatisfy { !$0.split(separator: "/").contains("..") }
    }

    private func prepare(_ position: Int) throws {
        let part = parts[position]
        let machine = caller.options.machine
        let role: JointPart.Role
        if position == home {
            let participants = try parts.indices.map { other in
                JointHome.Participant(
                    paths: other == home ? [""] : paths(from: home, to: other),
                    index: parts[other].folder.names.index.string,
                    folder: try parts[other].folder.mark)
            }
            role = .home(
                JointHome(
                    participants: participants, moves: moves.moves.isEmpty ? nil : moves.moves,
                    machine: machine))
        } else {
            let names = moves.containers(leaving: position)
            role = .participant(
                JointParticipant(
                    homePaths: paths(from: position, to: home),
                    home: parts[home].folder.names.index.string, folder: try part.folder.mark,
                    homeFolder: try parts[home].folder.mark, participant: position,
                    names: names.isEmpty ? nil : names, machine: machine))
        }
        // It does not count until it is committed.
        try part.index.add(.prepared(JointPart(number, role, part.lineOperations)))
    }

    /// The possible paths from the folder of one part to that of another one.
    private func paths(from first: Int, to second: Int) -> [String] {
        var found: [String] = []
        for back in paths[first].back {
            for there in paths[second].there {
                let path = [back, there].filter { !$0.isEmpty }.joined(separator: "/")
                if !found.contains(path) { found.append(path) }
            }
        }
        return found
    }

    /// Commits the parts besides that of the home, durably.
    func commitOthers() throws {
        // In this order, other processes see an item that moves twice rather than not at all.
        let others = moves.commitOrder.filter { $0 != home }.map { parts[$0] }
        do {
            for part in others { try part.index.commitPart(.relaxed) }
            try LockedIndex.syncRecords(of: others.map(\.index))
        } catch {
            // Their snapshots are older than their journals.
            for part in others { part.index.known.state.version = nil }
            throw error
        }
        for part in others { part.index.accept(part.next, part.change, isDurable: true) }
    }

    /// Ends the part of the home, once all others are committed.
    ///
    /// It need not be durable: if it is lost, recovery finds nothing to do and writes it again.
    func end() throws { try homePart.index.endPart(.relaxed) }

    /// Ends all parts that are prepared, so that they do not count; that of the home last, which recovery needs until
    /// then to find the others.
    func abort() throws {
        for part in parts where part !== homePart { try part.index.endPart(.durable) }
        try homePart.index.endPart(.durable)
    }
}

extension Commit {
    /// The place of a part's folder.
    enum Place {
        case home
        /// Below the home's folder, at one of these paths.
        case below([String])
        case elsewhere

        /// The place of a folder inside this one, which can have any of `names`.
        func below(_ names: [String]) -> Self {
            switch self {
            case .home: .below(names)
            case .below(let paths): .below(paths.flatMap { path in names.map { "\(path)/\($0)" } })
            case .elsewhere: .elsewhere
            }
        }
    }
}
