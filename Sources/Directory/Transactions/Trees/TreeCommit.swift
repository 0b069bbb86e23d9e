import FileSystem

/// The digits of the transactions of one write.
///
/// A class, because they are made when they are first needed: most writes have no transaction.
private final class TransactionDigits {
    private(set) lazy var text = RandomName.digits()

    init(_ known: String?) { if let known { text = known } }
}

/// Commits a write that may change several collections: all of it, or nothing.
///
/// Each step is done for all collections before the next step. Until the first index is committed, the write can be
/// rolled back; from then on, the next process that opens one of the collections ends the write.
struct TreeCommit {
    /// The place of a part's folder.
    enum Place {
        case home
        /// Below the home's folder, at one of these paths.
        case below([String])
        case elsewhere
    }

    /// The collection that the write was called on.
    let home: IndexFolder
    private let digits: TransactionDigits
    /// The folders and files that move from one part to another.
    var moves: [TreeList.Move] = []
    /// The collections that change, outer ones before those inside them.
    private var entries: [(part: IndexCommit, place: Place)] = []

    /// Creates a commit; `number` is nil for new digits.
    init(home: IndexFolder, number: String?) {
        (self.home, digits) = (home, TransactionDigits(number))
    }

    /// Adds a part, and returns its number.
    mutating func add(_ part: IndexCommit, at place: Place) -> Int {
        entries.append((part, place))
        return entries.count - 1
    }

    /// The digits at the end of the names of all transactions of the write.
    var number: String { digits.text }
    /// The number that the next part gets.
    var count: Int { entries.count }
    private var parts: [IndexCommit] { entries.map(\.part) }
    private var treeMoves: TreeMoves {
        TreeMoves(moves: moves, number: number, folders: parts.map(\.folder))
    }
}

extension TreeCommit {
    /// Commits all parts.
    ///
    /// If this throws, every index and its files are as before, unless the code is `inDoubt`.
    ///
    /// - Throws: ``Busy`` while another call relies on the place of a folder that moves.
    func run() throws {
        guard entries.count > 1 || !moves.isEmpty else { return try parts.first?.run() ?? () }
        let names = try ([home] + parts.map(\.folder)).map {
            try $0.names.transactionFolder(number)
        }
        names.forEach(LiveTransactions.trees.insert)
        defer { names.forEach(LiveTransactions.trees.remove) }
        var hold = FolderHold(on: home.fileSystem)
        let places: [(paths: [String], back: [String])]
        do {
            try takeFolders(&hold)
            try treeMoves.check()
            places = try self.places()
        } catch {
            for part in parts { part.rollBack(after: error) }
            throw error
        }
        try withExtendedLifetime(hold) { try run(places) }
    }

    /// Commits all parts, whose folders stay at `places`.
    private func run(_ places: [(paths: [String], back: [String])]) throws {
        let inOrder = treeMoves.inCommitOrder(parts)
        do {
            for part in parts { try part.makeDurable() }
            for part in parts { try part.prepare() }
            for part in parts { try part.writeIntent() }
            try writeTree(places)
            try treeMoves.goForward()
            for part in parts { try part.moveFiles() }
            for part in parts { try part.check() }
            // These commits can no longer be rolled back if the volume is full then.
            for part in inOrder.dropFirst() { try part.reserveSpace() }
            try home.decideTree(home.names.transactionFolder(number))
            try inOrder.first?.writeLines(.durable)
        } catch {
            try goBack(after: error)
        }
        do {
            for part in inOrder.dropFirst() { try part.writeLines(.durable) }
        } catch {
            throw inDoubt(error)
        }
        for part in parts { part.finish() }
        do {
            try removeTree()
        } catch {
            // The write has taken place.
            for part in parts { part.leaveToRecovery() }
        }
    }

    /// Keeps the folders of all parts in place, and locks the folders that move.
    private func takeFolders(_ hold: inout FolderHold) throws {
        // A folder that a part moves can be above another part; the folder of a moved item cannot.
        for part in parts { try part.takeFolders(&hold) }
        for folder in [home] + parts.map(\.folder) { try hold.keepInPlace(folder.handle) }
        try treeMoves.takeFolders(&hold, back: false)
    }

    /// Rolls all parts back and throws `error`; throws `inDoubt` if the state on disk is not known.
    private func goBack(after error: any Error) throws -> Never {
        if (error as? DirectoryError)?.code == .inDoubt { throw inDoubt(error) }
        do {
            try treeMoves.goBack()
            // From here on, the files of each index belong where its old lines say.
            try removeTree()
        } catch let undoError {
            throw inDoubt(error, notUndone: undoError)
        }
        for part in parts.reversed() { part.rollBack(after: error) }
        throw error
    }

    private func inDoubt(_ error: any Error, notUndone undoError: (any Error)? = nil)
        -> DirectoryError
    {
        for part in parts { part.leaveToRecovery() }
        let undo = undoError == nil ? "" : ", and could not be undone"
        return DirectoryError(
            .inDoubt, "change", home.indexURL,
            "the change of several collections could not be ended\(undo); the next process that uses one of "
                + "them ends it",
            underlying: error, detail: undoError.map { "\($0)" },
            people: .init(
                reason: "a change of several collections began and could not be ended now",
                remedy: "Open it again, which ends the change."))
    }
}

extension TreeCommit {
    /// The possible paths from the home's folder to the folder of each part, and the paths back; the home has none.
    ///
    /// - Throws: ``Busy`` if a folder is no longer where it was opened.
    private func places() throws -> [(paths: [String], back: [String])] {
        try entries.map { part, place in
            switch place {
            case .home: ([""], [])
            case .below(let paths):
                (
                    paths,
                    Set(paths.map { $0.split(separator: "/").count }).sorted().map {
                        repeatElement("..", count: $0).joined(separator: "/")
                    }
                )
            case .elsewhere:
                ([try home.path(to: part.folder)], [try part.folder.path(to: home)])
            }
        }
    }

    /// Writes the pointers before the list: so no process changes a participant without knowing of the write.
    private func writeTree(_ places: [(paths: [String], back: [String])]) throws {
        var participants: [TreeList.Participant] = []
        for (number, place) in places.enumerated() {
            let part = parts[number]
            var participant = try part.participant()
            participant.paths = place.paths
            participants.append(participant)
            if place.back.isEmpty { continue }
            let names = moves.filter { $0.from.participant == number && $0.from.hasContainers }
                .flatMap(\.names)
            let pointer = TreePointer(
                homePaths: place.back, home: home.names.index.string, number: number,
                names: names.isEmpty ? nil : names, machine: home.options.machine)
            try part.folder.write(pointer, to: part.folder.names.transactionFolder(self.number))
        }
        let list = TreeList(
            participants: participants, moves: moves.isEmpty ? nil : moves,
            machine: home.options.machine)
        try home.write(list, to: home.names.transactionFolder(number))
    }

    /// Removes the list durably, before any lock is released, and then the pointers.
    private func removeTree() throws {
        try home.removeTree(of: number, in: parts.map(\.folder))
    }
}
