import FileSystem

/// Parts of writes to several collections that are read without the lock: as long as a write goes on, it is held.
extension IndexFolder {
    /// The part of the index that is not ended; nil if there is none, or if the journal is damaged.
    var jointPart: JointPart? { get throws { try recordedChanges?.joint } }

    /// What the records of the journal say; nil if there is no journal, or if it is damaged.
    var recordedChanges: RecordedChanges? {
        get throws {
            do {
                return try readChanges()
            } catch let error as DirectoryError where error.code.isDamage {
                return nil
            }
        }
    }

    /// What the records of the journal say about writes to several collections; nil if it has none.
    ///
    /// - Throws: ``DirectoryError`` with `journalDamaged`.
    func readChanges() throws -> RecordedChanges? {
        guard try fileSystem.status(of: names.journal, in: handle)?.kind == .file,
            let bytes = try fileSystem.readAll(names.journal, in: handle),
            Self.mayHavePart(bytes)
        else { return nil }
        return RecordedChanges(try parseJournal(bytes).records)
    }

    /// Whether the write of `part`, which waits here, is known to take place.
    ///
    /// It does if its home is committed, or if this is the home and one of its folders is in its place already. Of a home
    /// that cannot be read, this is not known.
    func isDecided(_ part: JointPart) -> Bool {
        switch part.role {
        case .participant(let own):
            return own.homePaths.contains { path in
                let there = try? open(path, index: own.home)?.jointPart
                return there?.number == part.number && there?.isCommitted == true
            }
        case .home(let home):
            // Folders come from a copy or from `.removed` only in a write to one collection.
            guard home.participants.count == 1, let moves = home.moves else { return false }
            let own = JointMoves(moves: moves, number: part.number, folders: [self])
            return (try? own.havePlacedFolder()) == true
        case .unknown: return false
        }
    }

    /// Whether a line begins with the sign of a part, so that most journals, which can be large, are not parsed.
    private static func mayHavePart(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while let sign = rest.firstIndex(of: UInt8(ascii: "?")) {
                if sign > 0, bytes[sign - 1] == UInt8(ascii: "\n") { return true }
                rest = bytes[(sign + 1)...]
            }
            return false
        }
    }

    /// Ends the writes of `homes` at these homes.
    ///
    /// Before that is durable, the journal must not be removed, nor the folder moved: a home that has not ended its write
    /// looks for this part. A home that is not at its place, or cannot be used, is left alone.
    ///
    /// - Throws: ``Busy`` while another process has a lock that is needed.
    func end(at homes: [KnownHome], durably: Bool = true) throws {
        for home in homes {
            for path in home.participant.homePaths {
                // A sandbox does not let a process open all folders.
                try fileSystem.unlessRefused {
                    guard let found = try open(path, index: home.participant.home) else { return }
                    if let part = try found.jointPart, part.number == home.number,
                        part.machine.map(isOther) != true
                    {
                        guard let lock = try found.tryLock() else {
                            throw Busy(error: found.lockIsTaken)
                        }
                        try JointRecovery.end(
                            at: lock, asking: .init(folder: self, home: home))
                    }
                    if durably { try found.syncIndex() }
                }
            }
        }
    }
}

extension IndexFolder {
    /// Whether the index or its journal is there.
    var hasIndex: Bool {
        get throws {
            try [names.index, names.journal].contains {
                try fileSystem.status(of: $0, in: handle) != nil
            }
        }
    }

    /// The error for a write to several collections that cannot be ended.
    func isUnendable(_ reason: String, isMissing: Bool = true) -> UnendableTransaction {
        UnendableTransaction(
            error: DirectoryError(
                .unfinishedChange, "end a change of several collections of", indexURL,
                "a process died during the change, and \(reason)",
                people: .init(usual: .unfinishedChange, operation: "change")),
            isMissing: isMissing)
    }
}

extension LockedIndex {
    /// Ends the writes whose parts are committed here at their homes (``IndexFolder/end(at:durably:)``).
    func endAtHomes(durably: Bool = true) throws {
        guard let homes = known.state.journal?.homes, !homes.isEmpty else { return }
        // The records that the homes wait for can be in a file whose sync failed.
        if lock.needsNewJournal { try renew() }
        try folder.end(at: homes, durably: durably)
        if durably { known.state.journal?.homes = [] }
    }
}

extension JointRecovery {
    /// Ends the write whose home is the index of `lock`, if that is possible now.
    static func end(at lock: IndexLock, asking: Asking) throws {
        let index = LockedIndex(lock, lock.folder.lineReader)
        try withExtendedLifetime(index) {
            do {
                try index.refresh()
                try JointRecovery(index: index, asking: asking).end()
            } catch is UnendableTransaction {
            } catch let error as DirectoryError where error.code.isDamage {}
        }
    }
}
