import FileSystem

/// Ends a conflict between an index and its journal.
struct ConflictResolution {
    /// The index, which cannot be refreshed because of the conflict.
    let index: LockedIndex

    private var fileSystem: any FileSystem { index.fileSystem }
    private var folder: IndexFolder { index.folder }
}

extension ConflictResolution {
    /// Keeps one side, after both were copied aside; does nothing if there is no conflict.
    func run(keeping side: ConflictSide) throws {
        guard try isInConflict else { return }
        try endJointWrite()
        index.known.state = IndexState()
        try folder.copyAside()
        switch side {
        case .index: try index.lock.rewriteUnmarked()
        case .journal: try redoJournal()
        }
    }

    /// Ends the write to several collections in which the index has a part.
    ///
    /// If that is not possible now, the part is dropped with the journal, which was copied aside.
    private func endJointWrite() throws {
        guard let bytes = try fileSystem.readAll(folder.names.journal, in: folder.handle),
            let journal = try? folder.parseJournal(bytes)
        else { return }
        let changes = RecordedChanges(journal.records)
        if changes.joint?.machine.map(folder.isOther) == true { return }
        index.known.state = IndexState(
            journal: KnownJournal(
                id: journal.id, tail: journal.tail, pending: 0, index: journal.base,
                isMarked: false, joint: changes.joint, homes: changes.homes))
        do {
            try JointRecovery(index: index).end()
            try index.endAtHomes()
        } catch is UnendableTransaction {}
    }

    private var isInConflict: Bool {
        get throws {
            do {
                _ = try folder.read(index.lock)
                return false
            } catch let error as DirectoryError
                where [.indexConflict, .journalDamaged].contains(error.code)
            {
                return true
            }
        }
    }

    /// Makes the changes of the journal again, in the index as it is now, element by element.
    private func redoJournal() throws {
        guard let bytes = try fileSystem.readAll(folder.names.journal, in: folder.handle) else {
            return
        }
        let journal = try folder.parseJournal(bytes)
        let contents = IndexContents(
            bytes: try fileSystem.readAll(folder.names.index, in: folder.handle),
            state: IndexState())
        try folder.checkThatNothingIsMissing(in: contents, index.reader)
        let read = try IndexReader(index.reader).snapshot(of: contents)
        var draft = ElementDraft(read, index.reader)
        for operation in RecordedChanges(journal.records).operations {
            try redo(operation, in: &draft)
        }
        try draft.checkThatItCanBeOpened()
        let next = Snapshot(
            draft.elements, damaged: draft.damaged,
            names: LazyNames(of: draft.elements, index.reader))
        let change = ElementChange(from: index.snapshot.elements, to: next.elements)
        index.known.state.journal = KnownJournal(
            id: journal.id, tail: journal.tail, pending: 0,
            index: IndexFingerprint(of: contents.bytes ?? []), isMarked: false)
        try index.write(next, change, moved: [], .durable)
        // The load that follows reads everything, legacy records too.
        index.known.state = IndexState()
    }

    /// Applies `operation` to its element, wherever that is now.
    private func redo(_ operation: LineOperation, in draft: inout ElementDraft) throws {
        switch operation {
        case .insert(let line, let position), .replace(let line, let position):
            let element = try index.reader.element(on: line)
            if let known = draft.elements.position(of: element.id) {
                draft.replace(at: known, with: element)
            } else {
                draft.insert(element, at: min(position, draft.elements.count))
            }
        case .remove(_, let checksum):
            let removed = draft.elements.first { CRC32.checksum(of: $0.line) == checksum }
            if let removed { draft.remove([removed.id]) }
        }
    }
}

extension IndexFolder {
    /// Copies the index and its journal into the folder of files that were set aside, durably, and returns that folder.
    @discardableResult
    func copyAside() throws -> Handle {
        let aside = try openOrMake(names.recovered)
        let transaction = RandomName.digits()
        for name in [names.index, names.journal] {
            guard let bytes = try fileSystem.readAll(name, in: handle) else { continue }
            let visible = name.string.drop { $0 == "." }
            let copy = try makeFile(FileName(validating: "\(transaction)-\(visible)"), in: aside)
            try fileSystem.write(bytes, to: copy, at: 0)
            try fileSystem.sync(copy)
        }
        try fileSystem.sync(aside)
        return aside
    }
}
