import FileSystem

/// Tells one committed state of an index from another without reading the files.
struct IndexVersion: Hashable, Sendable {
    /// The status of the index file; nil if there is none.
    var index: FileStatus?
    /// The journal and its size; nil if there is none.
    var journal: JournalVersion?
    /// The generation of the files, as the lock file has it.
    var generation: Int

    struct JournalVersion: Hashable, Sendable {
        var identity: FileIdentity
        var size: Int
    }
}

extension IndexVersion {
    /// Whether a process was replacing a file, or died while it did that.
    var isUnfinished: Bool { !generation.isMultiple(of: 2) }

    /// Whether these are the same files as in `other`, not written to since; their names may have changed.
    func hasContent(of other: Self) -> Bool {
        guard generation == other.generation, journal == other.journal else { return false }
        guard let index, let known = other.index else { return index == other.index }
        return index.hasContent(of: known)
    }

    /// Whether the index is still the file `new`, not written to since before its rename.
    func hasIndex(_ new: TemporaryIndex) -> Bool { index?.hasContent(of: new.status) == true }
}

extension FileStatus {
    /// Whether this is the same file as `other`, not written to since; names may have changed.
    func hasContent(of other: Self) -> Bool {
        identity == other.identity && size == other.size && modified == other.modified
    }
}

/// The files of an index as this process knows them.
struct IndexState: Sendable {
    /// The version that was read or written last; nil if the files may have another by now.
    var version: IndexVersion?
    /// The journal beside the index; nil if there is none.
    var journal: KnownJournal?

    /// Whether `contents`, read later, lack records that these files had, although the index is the same file, or has the
    /// mark of a journal and the same bytes.
    ///
    /// A process of the library removes a journal with changes only when it puts a new file without the mark in place of
    /// the index. If it cuts a journal off, the files get another generation.
    func hasLostRecords(in contents: IndexContents) -> Bool {
        let other = contents.state
        guard let journal, journal.pending > 0 else { return false }
        if contents.lacksJournal, let bytes = contents.bytes,
            IndexFingerprint(of: bytes) == journal.index
        {
            return true
        }
        guard let version, !version.isUnfinished, let index = version.index,
            let found = other.version,
            found.index?.hasContent(of: index) == true
        else { return false }
        if let rest = other.journal {
            if rest.id != journal.id { return true }
            if rest.tail.sequence >= journal.tail.sequence { return false }
        }
        // If the lock file was removed too, a new one begins at 0.
        return found.generation <= version.generation
    }

    /// Whether the files are known to be the same.
    func isSame(as other: Self) -> Bool {
        guard let version else { return false }
        return version == other.version && journal?.tail.end == other.journal?.tail.end
    }
}

/// A journal that belongs to the index beside it.
struct KnownJournal: Sendable {
    /// The checksum of its header, which tells it from all other journals.
    let id: UInt32
    /// The end of the journal, where the next record begins.
    var tail: Journal.Tail
    /// The size of the records that the index does not hold yet, in bytes.
    var pending: Int
    /// The index beside it.
    let index: IndexFingerprint
    /// Whether the index beside it has the mark of a journal.
    var isMarked: Bool
    /// The part of the index in a write to several collections that is not ended; then only this write adds records.
    var joint: JointPart?
    /// The homes of other such writes, which must have ended them before this journal is removed (``RecordedChanges``).
    var homes: [KnownHome] = []

    /// Whether the index beside it is whole without it.
    var isDispensable: Bool { pending == 0 && !isMarked && joint == nil }

    /// Adds a record of `size` bytes.
    mutating func add(_ body: Journal.Record.Body, size: Int) {
        if case .operations = body {
            pending += size
            return
        }
        var changes = RecordedChanges(after: self)
        changes.add(body, size: size)
        pending += changes.size
        (joint, homes) = (changes.joint, changes.homes)
    }
}
