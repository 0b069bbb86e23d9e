import FileSystem
import Foundation

/// Ends a write to several collections that a dead process left, whatever the types of their items are.
///
/// It works on lines. The files of each index are brought in line with it later, by the process that opens it with its
/// type.
struct TreeRecovery {
    /// The index whose lock is held, and the name of the transaction there.
    let lock: IndexLock
    let name: FileName
    /// What the caller keeps in place or moves already.
    let hold: FolderHold

    private var folder: IndexFolder { lock.folder }
    private var fileSystem: any FileSystem { folder.fileSystem }

    /// A participant, locked.
    private struct Participant {
        let listed: TreeIntent.Participant
        let index: LockedIndex<UntypedItem>
        let state: State
    }

    private enum State {
        case before, after
        /// Somebody has edited the index since.
        case neither
    }
}

extension TreeRecovery {
    /// Ends the write.
    ///
    /// - Throws: ``Busy`` while others have what is needed; ``UnendableTransaction`` if a collection that the write
    ///   changes is not at its place, cannot be read, or was edited meanwhile.
    func run() throws {
        guard let (tree, _) = try folder.tree(of: name) else { return }
        if tree.participants != nil { return try end(at: lock) }
        guard let pointer = tree.pointer, let home = try folder.open(pointer.home),
            let found = try home.tree(of: home.names.transactionFolder(number)),
            let listed = found.intent.participants?[checked: pointer.number],
            try open(listed, pointer.number, from: home)?.isSame(as: folder) == true
        else {
            // If the list came back after a power loss, it would not find this pointer.
            if let pointer = tree.pointer, let home = try folder.open(pointer.home) {
                try home.syncTransaction(home.names.transactionFolder(number))
            }
            return try folder.removeTree(of: name, durably: false)
        }
        guard let homeLock = try home.tryLock() else { throw Busy(error: home.lockIsTaken) }
        try end(at: homeLock)
    }

    private var number: String { IndexNames.transaction(of: name) }

    private func end(at homeLock: IndexLock) throws {
        let home = homeLock.folder
        let homeName = try home.names.transactionFolder(number)
        guard let (tree, isCommitted) = try home.tree(of: homeName),
            let listed = tree.participants
        else { return }
        var hold = hold
        try hold.keepInPlace(home.handle)
        let participants = try listed.enumerated().map { number, participant in
            try self.participant(participant, number, homeLock, &hold)
        }
        try withExtendedLifetime((hold, participants)) {
            try sync(homeName, in: home)
            let isDecided = isCommitted || participants.contains { $0.state == .after }
            if isDecided {
                // Those that cannot go forward come last.
                for participant in participants where participant.state != .neither {
                    try goForward(participant)
                }
                for participant in participants { try check(participant) }
            }
            try home.removeTree(of: homeName, durably: true)
            for participant in participants where participant.index.folder.handle !== home.handle {
                try participant.index.folder.removeTree(
                    of: participant.index.folder.names.transactionFolder(number), durably: false)
            }
        }
    }

    /// Puts the list, and what leads to it, on stable storage.
    private func sync(_ name: FileName, in home: IndexFolder) throws {
        if let own = try home.openFolder(name, in: IndexNames.staging) {
            try fileSystem.sync(own)
        }
        try home.syncTransaction(name)
    }

    /// Gives the index its new lines; on other files, if it may have them already but not durably.
    private func goForward(_ participant: Participant) throws {
        let (index, listed) = (participant.index, participant.listed)
        switch participant.state {
        case .after: try index.renew()
        case .before:
            var lines = IndexLines(index.snapshot.lines)
            let fits = listed.operations.allSatisfy { text in
                LineOperation(Array(text.utf8)[...]).map { lines.apply($0) } == true
            }
            guard fits, IndexFingerprint(ofLines: lines.lines).text == listed.after else {
                throw unendable(index.folder, "its list of changes does not fit")
            }
            _ = try index.lock.rewrite(lines.lines, index.known.state.journal, .durable)
        case .neither: return
        }
    }

    private func check(_ participant: Participant) throws {
        guard participant.state != .neither else {
            throw unendable(
                participant.index.folder, "the index was changed by others meanwhile",
                isMissing: true)
        }
    }
}

extension TreeRecovery {
    /// Finds, locks and reads a participant.
    private func participant(
        _ listed: TreeIntent.Participant, _ number: Int, _ homeLock: IndexLock,
        _ hold: inout FolderHold
    ) throws -> Participant {
        let lock: IndexLock
        if listed.paths == [""] {
            lock = homeLock
        } else if let found = try open(listed, number, from: homeLock.folder) {
            try hold.keepInPlace(found.handle)
            if try found.isSame(as: folder) {
                lock = self.lock
            } else {
                guard let taken = try found.tryLock() else { throw Busy(error: found.lockIsTaken) }
                lock = taken
            }
        } else {
            throw unendable(
                homeLock.folder, "\(listed.paths[0])/\(listed.index) is not there any more",
                isMissing: true)
        }
        let url = lock.folder.indexURL
        let options = lock.folder.store.ofUnknownType(lock.folder.names).options
        let index = LockedIndex(lock, ItemCoding<UntypedItem>(options, url: url))
        do {
            try index.refresh()
        } catch let error as DirectoryError
            where [.damagedIndex, .journalDamaged, .indexConflict].contains(error.code)
        {
            throw UnendableTransaction(error: error, isMissing: false)
        }
        let text = IndexFingerprint(ofLines: index.snapshot.lines).text
        let state: State =
            text == listed.after ? .after : text == listed.before ? .before : .neither
        return Participant(listed: listed, index: index, state: state)
    }

    /// Opens the index that has the pointer with `number`; nil if it is at none of its places.
    private func open(
        _ listed: TreeIntent.Participant, _ number: Int, from home: IndexFolder
    ) throws -> IndexFolder? {
        if listed.paths == [""] { return home }
        for path in listed.paths {
            guard let found = try home.open(.init(path: path, index: listed.index)),
                try found.tree(of: found.names.transactionFolder(self.number))?.intent.pointer?
                    .number == number
            else { continue }
            return found
        }
        return nil
    }

    private func unendable(_ index: IndexFolder, _ reason: String, isMissing: Bool = false)
        -> UnendableTransaction
    {
        UnendableTransaction(
            error: DirectoryError(
                .unfinishedTransfer, "end a change of several collections of", index.indexURL,
                "a process died during the change, and \(reason)",
                people: .init(usual: .unfinishedTransfer, operation: "change")),
            isMissing: isMissing)
    }
}

extension Array {
    fileprivate subscript(checked position: Int) -> Element? {
        indices.contains(position) ? self[position] : nil
    }
}
