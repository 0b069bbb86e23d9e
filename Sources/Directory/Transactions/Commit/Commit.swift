import FileSystem

/// Commits a write to one collection or to several: all of it, or nothing.
///
/// Each line of ``run()`` is a step, which is done for all parts before the next one. Until the index of the home has its
/// new lines, the write can be rolled back; from then on, the next process that opens one of the collections ends it.
struct Commit {
    /// Who can see the commit while it goes on, and so what it records on disk before a file moves.
    enum Kind {
        /// One index, which other processes see: an intent.
        case alone
        /// Several indexes: their intents, and a part in each journal.
        case joint
        /// One index in a folder that no other process can see yet: nothing. If the commit fails, the folder is removed.
        case unseen
    }

    /// The collection that the write was called on.
    let home: IndexFolder
    /// The folders and files that move from one part to another.
    var moves: [Move] = []
    /// The collections that change, outer ones before those inside them.
    private(set) var parts: [CommitPart] = []
    /// The digits at the end of the names of all transactions of the write, once one has needed them.
    private(set) var number: String?
    private let isUnseen: Bool

    /// Creates a commit without parts; `number` is nil for new digits.
    init(home: IndexFolder, number: String?, isUnseen: Bool = false) {
        (self.home, self.number, self.isUnseen) = (home, number, isUnseen)
    }

    /// Adds the change of `draft` to the locked `index`, which is at `place`.
    ///
    /// - Returns: The part, whose number is its position in ``parts``; nil if the draft changes nothing.
    /// - Throws: ``DirectoryError`` with `invalidName`, `nameTaken`, `assetMissing` or `undecodable`.
    mutating func add(
        _ draft: consuming ElementDraft, to index: LockedIndex, _ request: CommitRequest,
        _ live: LiveTransactions, at place: Place
    ) throws -> CommitPart? {
        let part = try CommitPart(
            consume draft, to: index, request, live, number: &number, at: place)
        if let part { parts.append(part) }
        return part
    }

    private var kind: Kind {
        isUnseen ? .unseen : parts.count > 1 || !moves.isEmpty ? .joint : .alone
    }
}

extension Commit {
    /// Commits all parts.
    ///
    /// If this throws, every index and its files are as before, unless the code is `inDoubt`.
    ///
    /// - Throws: ``Busy`` while another call uses a collection that is needed, or one inside a folder that moves: the
    ///   caller releases all its locks, and plans the write again.
    func run() throws {
        let kind = kind
        let joint = kind == .joint ? try JointWrite(self) : nil
        for part in parts { try part.endJointWritesInside() }
        try joint?.keepFoldersInPlace()
        var isDecided = false
        do {
            if joint != nil { try CommitPart.makeDurable(parts) }
            for part in parts { try part.prepare(kind) }
            do {
                try commit(kind, joint, &isDecided)
            } catch let error as FileSystemError where error.isFullVolume {
                // The intent and its folders may have taken the space that the index needs.
                guard kind == .alone, try parts.first?.goOnWithoutIntent() == true else {
                    throw error
                }
                try commit(kind, nil, &isDecided)
            }
        } catch {
            if isDecided { throw inDoubt(error) }
            try goBack(after: error, joint)
        }
        for part in parts { try part.finish(kind) }
        do {
            try joint?.end()
        } catch {
            // The write has taken place, and recovery ends it.
        }
    }

    /// Records what will move, moves it, and writes the lines of the indexes.
    ///
    /// `isDecided` becomes true with the first lines, which are those of the home: then the write takes place.
    private func commit(_ kind: Kind, _ joint: JointWrite?, _ isDecided: inout Bool) throws {
        for part in parts { try part.writeIntent(kind) }
        try joint?.prepare()
        try joint?.moves.goForward()
        for part in parts { try part.moveFiles() }
        for part in parts { try part.check() }
        try (joint?.homePart ?? parts.first)?.writeLines(kind)
        isDecided = true
        try joint?.commitOthers()
    }

    /// Rolls all parts back and throws `error`; throws `inDoubt` if the state on disk is not known.
    private func goBack(after error: any Error, _ joint: JointWrite?) throws -> Never {
        for part in parts { part.index.dropNewJournal() }
        let isInDoubt = (error as? DirectoryError)?.code == .inDoubt
        if isUnseen {
            // No other process can have read the index, so only the cause is reported.
            throw isInDoubt ? (error as? DirectoryError)?.underlying ?? error : error
        }
        if let joint {
            if isInDoubt { throw inDoubt(error) }
            do {
                try joint.moves.goBack()
                // From here on, the files of each index belong where its old lines say.
                try joint.abort()
            } catch let undoError {
                throw inDoubt(error, notUndone: undoError)
            }
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
