import FileSystem
import Foundation

/// How the recovery of a write to several collections finds the participants.
extension JointRecovery {
    /// A participant that was found.
    struct Participant {
        let folder: IndexFolder
        /// The index, locked, if its part waits for the decision.
        let waiting: LockedIndex?
    }

    /// Finds a participant, and locks it if its part waits; nil if it is at none of its places.
    func participant(
        _ listed: JointHome.Participant, _ number: Int, of part: JointPart, _ list: JointHome,
        from home: IndexFolder
    ) throws -> Participant? {
        if let found = try open(listed, number, of: part, from: home) {
            let other = try lockAndRead(found)
            let isWaiting = other.known.state.journal?.joint?.number == part.number
            return Participant(folder: found, waiting: isWaiting ? other : nil)
        }
        // If the home was copied or moved to another volume, so were the others.
        let isCopy = try list.participants.first { isHome($0, home) }?.folder != home.mark
        for path in listed.paths {
            guard let found = try home.open(path, index: listed.index), try found.hasIndex,
                try isCopy || found.mark == listed.folder
            else { continue }
            return Participant(folder: found, waiting: nil)
        }
        return nil
    }

    /// The part of an index that is not ended, read without its lock.
    ///
    /// - Throws: ``UnendableTransaction`` if its journal is damaged or missing: then nobody knows what it has decided;
    ///   ``Busy`` if another process has the lock, and may be making the journal.
    func unfinishedPart(of index: IndexFolder) throws -> JointPart? {
        do {
            if let changes = try index.readChanges() { return changes.joint }
        } catch let error as DirectoryError where error.code.isDamage {
            throw UnendableTransaction(error: error, isMissing: false)
        }
        if try index.lacksJournal { _ = try lockAndRead(index) }
        return nil
    }

    /// Locks and reads an index, without the type of its items.
    func lockAndRead(_ folder: IndexFolder) throws -> LockedIndex {
        guard let lock = try folder.tryLock() else { throw Busy(error: folder.lockIsTaken) }
        let index = LockedIndex(lock, lock.folder.lineReader)
        do {
            try index.refresh()
        } catch let error as DirectoryError where error.code.isDamage {
            throw UnendableTransaction(error: error, isMissing: false)
        }
        return index
    }

    /// Opens the index whose part waits for the decision; nil if it is at none of its places.
    func open(
        _ listed: JointHome.Participant, _ number: Int, of part: JointPart, from home: IndexFolder
    ) throws -> IndexFolder? {
        for path in listed.paths {
            guard let found = try home.open(path, index: listed.index),
                let other = try unfinishedPart(of: found), other.number == part.number,
                case .participant(let there) = other.role,
                there.participant == number, let back = there.homePaths.first
            else { continue }
            // Below the home the way back needs no check; from a parked folder it is longer than the part says.
            if !path.split(separator: "/").contains("..") { return found }
            // If the way back leads to no folder, a folder was renamed by hand.
            let expected = try found.open(back, index: there.home)
            if try expected?.isSame(as: home) != false { return found }
        }
        return nil
    }

    /// Whether there is a folder at one of the listed paths.
    func isAnythingThere(_ listed: JointHome.Participant, from home: IndexFolder) throws
        -> Bool
    {
        try listed.paths.contains {
            try home.open($0, index: listed.index) != nil
        }
    }

    func isHome(_ listed: JointHome.Participant, _ home: IndexFolder) -> Bool {
        listed.paths == [""] && listed.index == home.names.index.string
    }

    func isGone(_ listed: JointHome.Participant, from home: IndexFolder)
        -> UnendableTransaction
    {
        let url = home.url(ofIndex: listed.index, at: listed.paths.first ?? "")
        return home.isUnendable(
            "\(url.path(percentEncoded: false)) is not there any more, or has no part in it")
    }
}
