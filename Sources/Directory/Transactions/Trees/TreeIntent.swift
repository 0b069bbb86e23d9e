import FileSystem

/// What one write changes in several indexes, written to disk before the first of them changes.
///
/// The home, the collection that the write was called on, has the list; every other index that changes has a
/// pointer to the home. Both are files in the folder of the transaction, which has the same digits everywhere.
///
/// The write has taken place if the list is named `committed`, or if one of the indexes has its new lines. What moves
/// among the files of one index is written in the intent of that index, and follows from its lines.
struct TreeIntent: Codable, Hashable, Sendable {
    /// Another index, seen from the folder of the index that writes this down.
    struct Peer: Codable, Hashable, Sendable {
        /// The relative path from this index's folder to the other's.
        var path: String
        var index: String
    }

    /// An index that the write changes.
    struct Participant: Codable, Hashable, Sendable {
        /// The paths, from the home's folder, at which the folder of the index can be.
        ///
        /// It may be the folder of an item that the same write renames. Names can be swapped, so the pointer has
        /// the number of the participant.
        var paths: [String]
        var index: String
        /// The length and the checksum of the lines before the write, and of those after it.
        var before: String
        var after: String
        /// What turns the lines before into those after, as a journal has it.
        var operations: [String]
    }

    /// A folder or a file that moves from one participant to another.
    struct Move: Codable, Hashable, Sendable {
        var from: Spot
        var to: Spot
    }

    /// A name in the folder of a participant.
    struct Spot: Codable, Hashable, Sendable {
        /// The position of the index in the list.
        var participant: Int
        /// The folder of assets; nil for a container's folder, which is beside the index.
        var assets: FileName?
        /// The path of the folder that has it, in the folder of the transaction there; nil if it is not in that.
        var staged: FolderPath?
        var name: FileName
    }

    /// The way from another index to the home.
    struct Pointer: Codable, Hashable, Sendable {
        /// The paths by which the home can be reached, from each place where the folder of the index can be.
        var homePaths: [String]
        var home: String
        /// The position of the index in the list.
        var number: Int
    }

    /// In the home: what changes.
    var participants: [Participant]?
    /// In the home: what moves from one index to another.
    var moves: [Move]?
    /// In every other index: where the list is.
    var pointer: Pointer?
    /// The machine that began the write.
    var machine: String

    /// The name of the file while the write may still fail.
    static let undecided: FileName = "tree"
    /// The name of the list once every file has moved.
    static let committed: FileName = "committed"
}

extension IndexFolder {
    /// The part that this index has in the write of the transaction `name`; nil if it has none.
    ///
    /// A file that is not complete counts for nothing: it is synced before anything moves.
    func tree(of name: FileName) throws -> (intent: TreeIntent, isCommitted: Bool)? {
        guard let own = try openFolder(name, in: IndexNames.staging) else { return nil }
        for file in [TreeIntent.committed, TreeIntent.undecided] {
            guard let bytes = try fileSystem.readAll(file, in: own),
                let intent = CheckedLine.decode(TreeIntent.self, from: bytes)
            else { continue }
            return (intent, file == TreeIntent.committed)
        }
        return nil
    }

    /// Writes `tree` durably to the folder of the transaction `name`.
    func write(_ tree: TreeIntent, to name: FileName) throws {
        let own = try openOrMake(name, in: IndexNames.staging)
        let file = try makeFile(TreeIntent.undecided, in: own)
        try fileSystem.write(CheckedLine.encode(tree), to: file, at: 0)
        try fileSystem.sync(file)
        try syncTransaction(name)
    }

    /// Renames the list of the transaction `name`, durably: from now on, the write has taken place unless the list is
    /// removed, also if others edit each index that has its new lines.
    func commitTree(_ name: FileName) throws {
        guard let own = try openFolder(name, in: IndexNames.staging) else { return }
        try fileSystem.rename(
            TreeIntent.undecided, in: own, to: TreeIntent.committed, in: own, replacing: false)
        try fileSystem.sync(own)
    }

    /// Removes the list of the write with `number` durably, and then the pointers in `participants`.
    func removeTree(of number: String, in participants: [IndexFolder]) throws {
        try removeTree(of: names.transactionFolder(number), durably: true)
        for participant in participants where try !participant.isSame(as: self) {
            // Best effort: a pointer without a list means nothing.
            try? participant.removeTree(
                of: participant.names.transactionFolder(number), durably: false)
        }
    }

    /// Removes what this index has of the write of the transaction `name`.
    ///
    /// That of the home is removed durably, and first: if it came back after a power loss, an index could have the
    /// lines again that it had before or after the write.
    func removeTree(of name: FileName, durably: Bool) throws {
        guard let own = try openFolder(name, in: IndexNames.staging) else { return }
        for file in [TreeIntent.undecided, TreeIntent.committed] {
            _ = try fileSystem.unlessMissing { try fileSystem.removeFile(file, in: own) }
        }
        if durably { try fileSystem.sync(own) }
        if let staging = try openFolder(IndexNames.staging) {
            removeIfEmpty(name, in: staging)
            removeIfEmpty(IndexNames.staging)
        }
    }
}

extension IndexFingerprint {
    /// That of `lines` with commas and newlines between them, wherever they are written.
    init(ofLines lines: some Sequence<ArraySlice<UInt8>>) {
        var checksum = CRC32()
        var length = 0
        let separator = Array(",\n".utf8)
        for line in lines {
            if length > 0 {
                separator.withUnsafeBytes { checksum.update($0) }
                length += separator.count
            }
            line.withUnsafeBytes { checksum.update($0) }
            length += line.count
        }
        self.init(length: length, checksum: checksum.checksum)
    }
}
