import FileSystem

/// One collection that a write changes, of whatever item type.
protocol TreePart: AnyObject {
    var folder: IndexFolder { get }
    /// What the write changes in the index, without the paths.
    func participant() throws -> TreeIntent.Participant
    func run() throws
    func makeDurable() throws
    func takeFolders(_ hold: inout FolderHold) throws
    func prepare() throws
    func writeIntent() throws
    func moveFiles() throws
    func check() throws
    func reserveSpace() throws
    func commit(_ durability: DirectoryOptions.Durability) throws
    func finish()
    func rollBack(after error: any Error)
    func leaveToRecovery()
}

/// The commit of a write that may change several collections: all of it, or nothing.
///
/// Each step is done for all of them before the next one. Up to the first commit of an index, all can go back; from
/// then on, whoever opens one of them ends the write.
struct TreeCommit {
    /// The collection that the write was called on.
    let home: IndexFolder
    /// What the names of all transactions of the write have in common.
    let number: String
    /// The collections that change, with the paths at which their folders can be from the home's folder.
    ///
    /// What is outside comes before what is inside.
    private var parts: [(part: any TreePart, paths: [String])] = []

    init(home: IndexFolder, number: String) { (self.home, self.number) = (home, number) }

    private var fileSystem: any FileSystem { home.fileSystem }

    mutating func add(_ part: any TreePart, at paths: [String]) { parts.append((part, paths)) }
}

extension TreeCommit {
    /// Commits all parts.
    ///
    /// If this throws, every index and its files are as before, unless the code is `inDoubt`.
    ///
    /// - Throws: ``Busy`` while somebody relies on the place of a folder that moves.
    func run() throws {
        guard parts.count > 1 else { return try parts.first?.part.run() ?? () }
        let parts = parts.map(\.part)
        let names = try transactionNames()
        names.forEach(LiveTransactions.transfers.insert)
        defer { names.forEach(LiveTransactions.transfers.remove) }
        var hold = FolderHold(on: fileSystem)
        do {
            // A folder that moves is not kept in place, nor what is above it there.
            for part in parts { try part.takeFolders(&hold) }
            for folder in [home] + parts.map(\.folder) { try hold.keepInPlace(folder.handle) }
            for part in parts { try part.makeDurable() }
            for part in parts { try part.prepare() }
            for part in parts { try part.writeIntent() }
            try writeTree()
            for part in parts { try part.moveFiles() }
            for part in parts { try part.check() }
            // The last ones can no longer go back if the volume is full then.
            for part in parts.dropLast() { try part.reserveSpace() }
            try home.commitTree(home.names.transactionFolder(number))
            try parts.last?.commit(.durable)
        } catch {
            try goBack(parts, after: error)
        }
        do {
            for part in parts.dropLast().reversed() { try part.commit(.durable) }
        } catch {
            throw inDoubt(error, parts)
        }
        for part in parts { part.finish() }
        do {
            try removeTree()
        } catch {
            // The write has taken place.
            for part in parts { part.leaveToRecovery() }
        }
        withExtendedLifetime(hold) {}
    }

    /// Puts everything back, and throws `error`, or that it is not known what the disk has.
    private func goBack(_ parts: [any TreePart], after error: any Error) throws -> Never {
        if (error as? DirectoryError)?.code == .inDoubt { throw inDoubt(error, parts) }
        do {
            // From here on, the files of each index belong where its old lines say.
            try removeTree()
        } catch let undoError {
            throw inDoubt(error, parts, notUndone: undoError)
        }
        for part in parts.reversed() { part.rollBack(after: error) }
        throw error
    }

    private func inDoubt(
        _ error: any Error, _ parts: [any TreePart], notUndone undoError: (any Error)? = nil
    ) -> DirectoryError {
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
    private func transactionNames() throws -> [FileName] {
        try ([home] + parts.map(\.part.folder)).map { try $0.names.transactionFolder(number) }
    }

    /// Writes the pointers, and then the list: nobody may change an index of the list without knowing of it.
    private func writeTree() throws {
        var participants: [TreeIntent.Participant] = []
        for (number, (part, paths)) in parts.enumerated() {
            var participant = try part.participant()
            participant.paths = paths
            participants.append(participant)
            if paths == [""] { continue }
            let depth = paths[0].split(separator: "/").count
            let pointer = TreeIntent.Pointer(
                home: .init(
                    path: repeatElement("..", count: depth).joined(separator: "/"),
                    index: home.names.index.string),
                number: number)
            try write(TreeIntent(pointer: pointer, machine: home.options.machine), of: part.folder)
        }
        try write(
            TreeIntent(participants: participants, machine: home.options.machine), of: home)
    }

    private func write(_ tree: TreeIntent, of index: IndexFolder) throws {
        try index.write(tree, to: index.names.transactionFolder(number))
    }

    /// Removes the list durably, before any lock is released, and then the pointers.
    private func removeTree() throws {
        let name = try home.names.transactionFolder(number)
        try home.removeTree(of: name, durably: true)
        for (part, _) in parts where part.folder.handle !== home.handle {
            // Best effort: a pointer without a list means nothing.
            try? part.folder.removeTree(
                of: part.folder.names.transactionFolder(number), durably: false)
        }
    }
}
