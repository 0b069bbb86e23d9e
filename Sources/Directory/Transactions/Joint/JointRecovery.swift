import FileSystem
import Foundation

/// Ends a write to several collections that a dead process left, without the types of their items.
///
/// The process that later opens an index with its type brings the files in line with it.
struct JointRecovery {
    /// The index, locked and refreshed, whose part is not ended.
    let index: LockedIndex
    /// The participant that asks for the end of a write, in case it is not at its place; nil if none asks.
    var asking: Asking?

    /// A participant whose own part is ended.
    struct Asking {
        let folder: IndexFolder
        let home: KnownHome
    }

    private var folder: IndexFolder { index.folder }
}

extension JointRecovery {
    /// Ends the write, and reads the lines that the index then has.
    ///
    /// - Throws: As ``end()``.
    func run() throws {
        guard index.known.state.journal?.joint != nil else { return }
        do {
            // The records that were added count for the snapshot too, also if the rest fails.
            defer { index.known.state.version = nil }
            try end()
        }
        try index.refresh()
    }

    /// Ends the write.
    ///
    /// - Throws: ``Busy`` while another process has a lock that is needed; ``UnendableTransaction`` if a participant is
    ///   not at its place or cannot be read.
    func end() throws {
        guard let part = index.known.state.journal?.joint else { return }
        do {
            switch part.role {
            case .home(let list): try end(part, list, at: index, as: nil)
            case .participant(let own): try follow(own, part)
            case .unknown: throw folder.isOfOtherVersion
            }
        } catch let error as FileSystemError where error.code == .tooManyOpenFiles {
            // All collections must be open at once. A load goes on without this.
            throw UnendableTransaction(
                error: DirectoryError(
                    error, "end a change of several collections of", folder.indexURL),
                isMissing: false)
        }
    }

    private func follow(_ own: JointParticipant, _ part: JointPart) throws {
        var isHomeThere = false
        for path in own.homePaths {
            guard let found = try folder.open(path, index: own.home) else { continue }
            // A copy has no home but one that was copied with it. Another folder at its place says nothing.
            if try found.hasIndex,
                try found.mark == own.homeFolder || folder.mark != own.folder
            {
                isHomeThere = true
            }
            guard try unfinishedPart(of: found)?.number == part.number,
                try !found.isSame(as: folder)
            else {
                continue
            }
            let home = try lockAndRead(found)
            guard let decided = home.known.state.journal?.joint, decided.number == part.number,
                case .home(let list) = decided.role,
                let listed = list.participants[checked: own.participant]
            else { continue }
            if let other = try open(listed, own.participant, of: part, from: found) {
                // If the home means another index, this one is a copy.
                guard try other.isSame(as: folder) else { continue }
            } else if try isAnythingThere(listed, from: found) {
                throw isGone(listed, from: found)
            }
            // If nothing is there, the folder of this index was renamed by hand.
            return try withExtendedLifetime(home) {
                try end(decided, list, at: home, as: own.participant)
            }
        }
        guard isHomeThere else {
            let url = folder.url(ofIndex: own.home, at: own.homePaths.first ?? "")
            throw folder.isUnendable("\(url.path(percentEncoded: false)) is not there any more")
        }
        // The home has not decided that the write takes place, and cannot do so any more.
        try index.renew()
        try index.endPart(.durable)
    }

    /// Ends the write of `part`, which is that of the locked `home`; `own` is the number of this index, if it is another.
    private func end(
        _ part: JointPart, _ list: JointHome, at home: LockedIndex, as own: Int?
    ) throws {
        var missing: UnendableTransaction?
        let participants = try list.participants.enumerated().map { number, listed in
            if isHome(listed, home.folder) {
                return Participant?(.init(folder: home.folder, waiting: home))
            }
            if number == own { return .init(folder: folder, waiting: index) }
            if let found = try participant(listed, number, of: part, list, from: home.folder) {
                return found
            }
            if let asking, part.number == asking.home.number,
                number == asking.home.participant.participant,
                try asking.folder.mark == listed.folder
            {
                // Its folder was renamed by hand.
                return .init(folder: asking.folder, waiting: nil)
            }
            missing = isGone(listed, from: home.folder)
            return nil
        }
        try withExtendedLifetime(participants) {
            let moves = try isMoving(list, part, participants)
            // The moves of a write that was decided, or that is not prepared everywhere, are done or were undone.
            if moves != nil, let missing { throw missing }
            try moves?.endJointWritesInside(back: true)
            // Going back would remove a placed folder, in which somebody may have changed something.
            let isDecided = try part.isCommitted || moves?.havePlacedFolder() == true
            do {
                if let moves, isDecided {
                    try moves.goForward()
                    // Before the decision, the files of the transactions may not have moved.
                    for participant in participants { try participant.map(moveFiles) }
                } else {
                    try moves?.goBack()
                }
            } catch let error as DirectoryError
                where [.nameTaken, .undoConflict].contains(error.code)
            {
                throw UnendableTransaction(error: error, isMissing: true)
            } catch let error as FileSystemError where error.code == .crossDevice {
                // A volume was mounted since between the places of a file.
                throw home.folder.isUnendable(
                    "the places of a file are now on two volumes or mounts")
            }
            let others = participants.compactMap { $0?.waiting }.filter { $0 !== home }
            // A failed sync may have stopped the write, so what is there is written to new files.
            for other in others { try other.renew() }
            if isDecided {
                try commit(part, at: home, others, participants, missing)
            } else {
                try home.renew()
                for other in others { try other.endPart(.durable) }
                try home.endPart(.durable)
            }
        }
    }

    /// Commits the parts at the `home` and at `others`, which wait for that, and ends the write unless one is missing.
    private func commit(
        _ part: JointPart, at home: LockedIndex, _ others: [LockedIndex],
        _ participants: [Participant?], _ missing: UnendableTransaction?
    ) throws {
        // If one is missing, each load tries again: files that changed each time would wake up those who watch them.
        if missing == nil || !others.isEmpty || !part.isCommitted {
            try home.renew()
            if !part.isCommitted { try home.append(.committed(part.number), .durable) }
            for other in others { try other.append(.committed(part.number), .durable) }
            for case let participant? in participants where participant.waiting == nil {
                try renew(participant)
            }
        }
        // A participant that is found later asks the home.
        if let missing { throw missing }
        try home.endPart(.durable)
    }

    /// The moves, if they may have begun: once all participants were prepared, and before the decision.
    private func isMoving(_ list: JointHome, _ part: JointPart, _ participants: [Participant?])
        throws
        -> JointMoves?
    {
        guard let moves = list.moves, !part.isCommitted,
            participants.allSatisfy({ $0 == nil || $0?.waiting != nil })
        else { return nil }
        let joint = JointMoves(
            moves: moves, number: part.number,
            folders: participants.map { $0?.folder ?? folder })
        // One that is missing may have moved before it was prepared.
        let missing = Set(participants.indices.filter { participants[$0] == nil })
        return try missing.isEmpty || joint.mayHaveBegun(without: missing) ? joint : nil
    }

    /// Moves the files of the participant's own transaction, if it has one, to the places that they have after the
    /// write.
    private func moveFiles(of participant: Participant) throws {
        guard let number = participant.waiting?.known.state.journal?.joint?.number else { return }
        let folder = participant.folder
        let name = try folder.names.transactionFolder(number)
        guard let intent = try folder.intent(of: name) else { return }
        try Transaction(folder: folder, name: name, intent: intent)
            .moveFiles(folder.openFolder(name, in: IndexNames.staging), areSomeMoved: true)
    }

    /// Writes the journal of a participant that has its new lines already, but perhaps not durably, to a new file.
    private func renew(_ participant: Participant) throws {
        guard let lock = try participant.folder.tryLock() else {
            // Somebody goes on with it, perhaps the write that needs this recovery.
            return try participant.folder.syncIndex()
        }
        let other = LockedIndex(lock, lock.folder.lineReader)
        try withExtendedLifetime(other) {
            do {
                try other.refresh()
                if other.known.state.journal != nil { try other.renew() }
            } catch let error as DirectoryError where error.code.isDamage {
                // It needs nothing of this write any more.
                try participant.folder.syncIndex()
            }
        }
    }
}

extension Array {
    fileprivate subscript(checked position: Int) -> Element? {
        indices.contains(position) ? self[position] : nil
    }
}
