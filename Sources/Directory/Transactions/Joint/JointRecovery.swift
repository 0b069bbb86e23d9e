import FileSystem
import Foundation

/// Ends a write to several collections that a dead process left, without the types of their items.
///
/// It works on lines. The process that later opens an index with its type brings the files in line with it.
struct JointRecovery {
    /// The index whose lock is held, and the name of the transaction there.
    let lock: IndexLock
    let name: FileName

    private var folder: IndexFolder { lock.folder }
    private var fileSystem: any FileSystem { folder.fileSystem }

    /// A participant, locked.
    private struct Participant {
        let listed: JointList.Participant
        let index: LockedIndex
        let lines: [ArraySlice<UInt8>]
        let state: State
    }

    private enum State {
        case before, after
        /// The index was edited since.
        case neither
    }
}

extension JointRecovery {
    /// Ends the write.
    ///
    /// - Throws: ``Busy`` while another process has a lock that is needed; ``UnendableTransaction`` if a participant is
    ///   not at its place, cannot be read, or was edited meanwhile.
    func run() throws {
        do {
            try findHome()
        } catch let error as FileSystemError where error.code == .tooManyOpenFiles {
            // All collections must be open at once. A load goes on without this.
            throw UnendableTransaction(
                error: DirectoryError(
                    error, "end a change of several collections of", folder.indexURL),
                isMissing: false)
        }
    }

    private func findHome() throws {
        switch try folder.jointRecord(of: name) {
        case nil: return
        case .list: return try end(at: lock, as: nil)
        case .pointer(let pointer): try follow(pointer)
        }
    }

    private func follow(_ pointer: JointPointer) throws {
        let homes = try pointer.homePaths.compactMap {
            try folder.open($0, index: pointer.home)
        }
        for home in homes {
            let found = try home.jointRecord(of: home.names.transactionFolder(number))
            guard case .list(let list, _) = found,
                let listed = list.participants[checked: pointer.number]
            else { continue }
            if let other = try open(listed, pointer.number, from: home) {
                // If the list means another index, this one is a copy.
                guard try other.isSame(as: folder) else { continue }
            } else if try isAnythingThere(listed, from: home) {
                throw isGone(listed, from: home)
            }
            // If nothing is there, the folder of this index was renamed by hand.
            guard let homeLock = try home.tryLock() else { throw Busy(error: home.lockIsTaken) }
            return try end(at: homeLock, as: pointer.number)
        }
        // If the list came back after a power loss, recovery would not find this pointer.
        for home in homes { try home.syncTransaction(home.names.transactionFolder(number)) }
        try folder.removeJointRecord(of: name, durably: false)
    }

    /// Whether there is a folder at one of the listed paths.
    private func isAnythingThere(_ listed: JointList.Participant, from home: IndexFolder) throws
        -> Bool
    {
        try listed.paths.contains {
            try home.open($0, index: listed.index) != nil
        }
    }

    private var number: String { IndexNames.transaction(of: name) }

    /// Ends the write that is listed at `homeLock`; `own` is the number of this index, if it is not the home.
    private func end(at homeLock: IndexLock, as own: Int?) throws {
        let home = homeLock.folder
        let homeName = try home.names.transactionFolder(number)
        guard case .list(let list, let isCommitted) = try home.jointRecord(of: homeName) else {
            return
        }
        let participants = try list.participants.enumerated().map { number, participant in
            let isOwn = number == own
            return try self.participant(participant, number, homeLock, isOwn ? lock : nil)
        }
        let moves = JointMoves(
            moves: list.moves ?? [], number: number, folders: participants.map(\.index.folder))
        try moves.endJointWritesInside(back: true)
        try withExtendedLifetime(participants) {
            try home.syncTransaction(homeName)
            let states = participants.map(\.state)
            // Going back would remove a placed folder, in which somebody may have changed something.
            let isDecided =
                try isCommitted || states.contains(.after)
                || (!states.contains(.neither) && moves.havePlacedFolder())
            do {
                if isDecided { try moves.goForward() } else { try moves.goBack() }
                // Before the list is called `committed`, the files of the transactions may not have moved.
                if isDecided, !isCommitted { try participants.forEach(moveFiles) }
            } catch let error as DirectoryError
                where [.nameTaken, .undoConflict].contains(error.code)
            {
                throw UnendableTransaction(error: error, isMissing: true)
            } catch let error as FileSystemError where error.code == .crossDevice {
                // A volume was mounted since between the places of a file.
                throw unendable(home, "the places of a file are now on two volumes or mounts")
            }
            if isDecided {
                let isEndable = !states.contains(.neither)
                // Participants that cannot go forward are reported last.
                for participant in moves.inCommitOrder(participants) {
                    try goForward(participant, isEndable: isEndable)
                }
                for participant in participants { try check(participant) }
            }
            try home.removeJointWrite(number, in: participants.map(\.index.folder))
        }
    }

    /// Moves the files of the participant's own transaction, if it has one, to the places that they have after the
    /// write.
    private func moveFiles(of participant: Participant) throws {
        let folder = participant.index.folder
        let name = try folder.names.transactionFolder(number)
        guard participant.state == .before, let intent = try folder.intent(of: name) else { return }
        try Transaction(folder: folder, name: name, intent: intent)
            .moveFiles(folder.openFolder(name, in: IndexNames.staging), areSomeMoved: true)
    }

    /// Gives the index its new lines; if it has them already, perhaps not durably, writes them to new files.
    ///
    /// While the write cannot be ended, each load tries again. Lines that are there already are then only made durable,
    /// or readers would notice a change each time.
    private func goForward(_ participant: Participant, isEndable: Bool) throws {
        let (index, listed) = (participant.index, participant.listed)
        switch participant.state {
        case .after: try isEndable ? index.renew() : index.makeDurable()
        case .before:
            var lines = IndexLines(participant.lines)
            let fits = listed.operations.allSatisfy { text in
                LineOperation(Array(text.utf8)[...]).map { lines.apply($0) } == true
            }
            guard fits, IndexFingerprint(ofLines: lines.lines).text == listed.after else {
                throw unendable(
                    index.folder, "its list of changes does not fit", isMissing: false)
            }
            _ = try index.lock.rewrite(lines.lines, index.known.state.journal, .durable)
        case .neither: return
        }
    }

    private func check(_ participant: Participant) throws {
        guard participant.state != .neither else {
            throw unendable(
                participant.index.folder, "the index was changed by others meanwhile")
        }
    }
}

extension JointRecovery {
    /// Finds, locks and reads a participant.
    private func participant(
        _ listed: JointList.Participant, _ number: Int, _ homeLock: IndexLock,
        _ known: IndexLock?
    ) throws -> Participant {
        let lock: IndexLock
        if let known = isHome(listed, homeLock.folder) ? homeLock : known {
            lock = known
        } else if let found = try open(listed, number, from: homeLock.folder) {
            guard let taken = try found.tryLock() else { throw Busy(error: found.lockIsTaken) }
            lock = taken
        } else {
            throw isGone(listed, from: homeLock.folder)
        }
        // These include the space that was reserved for the commit.
        try lock.removeTemporaryFiles()
        let index = LockedIndex(lock, lock.folder.lineReader)
        do {
            try index.refresh()
        } catch let error as DirectoryError where error.code.isDamage {
            throw UnendableTransaction(error: error, isMissing: false)
        }
        let lines = index.snapshot.lines
        // An editor may have changed the white space between tokens.
        for lines in [lines, lines.map { LineElement.compact($0)[...] }] {
            let text = IndexFingerprint(ofLines: lines).text
            if text == listed.after || text == listed.before {
                return Participant(
                    listed: listed, index: index, lines: lines,
                    // If only files change, both fingerprints are equal and decide nothing.
                    state: text == listed.before ? .before : .after)
            }
        }
        return Participant(listed: listed, index: index, lines: lines, state: .neither)
    }

    /// Opens the index that has the pointer with `number`; nil if it is at none of its places.
    private func open(
        _ listed: JointList.Participant, _ number: Int, from home: IndexFolder
    ) throws -> IndexFolder? {
        if isHome(listed, home) { return home }
        for path in listed.paths {
            guard let found = try home.open(path, index: listed.index),
                case .pointer(let pointer) = try found.jointRecord(
                    of: found.names.transactionFolder(self.number)),
                pointer.number == number, let back = pointer.homePaths.first
            else { continue }
            // Below the home the way back needs no check; from a parked folder it is longer than the pointer says.
            if !path.split(separator: "/").contains("..") { return found }
            // If the way back leads to no folder, a folder was renamed by hand.
            let there = try found.open(back, index: pointer.home)
            if try there?.isSame(as: home) != false { return found }
        }
        return nil
    }

    private func isHome(_ listed: JointList.Participant, _ home: IndexFolder) -> Bool {
        listed.paths == [""] && listed.index == home.names.index.string
    }

    private func isGone(_ listed: JointList.Participant, from home: IndexFolder)
        -> UnendableTransaction
    {
        let url = home.url(ofIndex: listed.index, at: listed.paths.first ?? "")
        return unendable(
            home,
            "\(url.path(percentEncoded: false)) is not there any more, or has no pointer to it"
        )
    }

    private func unendable(_ index: IndexFolder, _ reason: String, isMissing: Bool = true)
        -> UnendableTransaction
    {
        UnendableTransaction(
            error: DirectoryError(
                .unfinishedChange, "end a change of several collections of", index.indexURL,
                "a process died during the change, and \(reason)",
                people: .init(usual: .unfinishedChange, operation: "change")),
            isMissing: isMissing)
    }
}

extension Array {
    fileprivate subscript(checked position: Int) -> Element? {
        indices.contains(position) ? self[position] : nil
    }
}
