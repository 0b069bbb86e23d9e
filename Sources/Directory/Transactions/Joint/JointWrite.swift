import FileSystem

/// The records on disk of a write to several collections: a list in the home, and a pointer to it in each other part.
final class JointWrite {
    /// The folders and files that move from one part to another.
    let moves: JointMoves
    private let home: IndexFolder
    private let parts: [CommitPart]
    private let number: String
    /// The names of the transaction's folder in the home and in each part.
    private let names: [FileName]
    /// The possible paths from the home's folder to the folder of each part, and the paths back; the home has none.
    private var paths: [(there: [String], back: [String])] = []
    private var hold: FolderHold

    /// Begins the write; recovery in this process leaves it alone until this value is released.
    init(_ commit: Commit) throws {
        let (home, parts) = (commit.home, commit.parts)
        let number = commit.number ?? RandomName.digits()
        let folders = parts.map(\.folder)
        names = try ([home] + folders).map { try $0.names.transactionFolder(number) }
        moves = JointMoves(moves: commit.moves, number: number, folders: folders)
        (self.home, self.number, self.parts) = (home, number, parts)
        hold = FolderHold(of: parts.first?.draft.write?.session.lockFiles ?? [])
        names.forEach(LiveTransactions.joint.insert)
    }

    deinit { names.forEach(LiveTransactions.joint.remove) }
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
        paths = try zip(moves.folders, parts).map { folder, part in
            switch part.place {
            case .home: ([""], [])
            case .below(let paths):
                (
                    paths,
                    Set(paths.map { $0.split(separator: "/").count }).sorted().map {
                        repeatElement("..", count: $0).joined(separator: "/")
                    }
                )
            case .elsewhere: ([try home.path(to: folder)], [try folder.path(to: home)])
            }
        }
    }

    private func keepWaysInPlace() throws {
        for (folder, part) in zip(moves.folders, parts) {
            if case .elsewhere = part.place {
                try hold.keepInPlace(between: home, and: folder)
            }
        }
    }

    /// Writes the pointers before the list: so no process changes a part without knowing of the write.
    func write() throws {
        var participants: [JointList.Participant] = []
        for (position, (part, paths)) in zip(parts, paths).enumerated() {
            var participant = try part.participant()
            participant.paths = paths.there
            participants.append(participant)
            if paths.back.isEmpty { continue }
            let names = moves.containers(leaving: position)
            let pointer = JointPointer(
                homePaths: paths.back, home: home.names.index.string, number: position,
                names: names.isEmpty ? nil : names, machine: home.options.machine)
            try part.folder.write(pointer, to: part.folder.names.transactionFolder(number))
        }
        let list = JointList(
            participants: participants, moves: moves.moves.isEmpty ? nil : moves.moves,
            machine: home.options.machine)
        try home.write(list, to: home.names.transactionFolder(number))
        // An index that nobody had locked can have got its lock file meanwhile. Its holder looks for records before it
        // moves a folder, and so sees these, or is seen here.
        try keepWaysInPlace()
    }

    /// Decides, durably, that the write takes place.
    func decide() throws { try home.decideJointWrite(home.names.transactionFolder(number)) }

    /// Removes the list durably, before any lock is released, and then the pointers.
    func remove() throws { try home.removeJointWrite(number, in: moves.folders) }
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
