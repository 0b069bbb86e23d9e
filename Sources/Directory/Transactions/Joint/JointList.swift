import FileSystem

/// The changes of one write in several indexes, written to disk before the first index changes.
///
/// The home, the collection that the write was called on, has the list; every other index that changes has a
/// pointer to the home. Both are files in the folder of the transaction, which has the same digits everywhere.
///
/// The write has taken place if the list is named `committed`, if one of the indexes has its new lines, or if a folder
/// from a copy or from `.removed` is at its place and no index was edited. Moves within one index are in the intent of
/// that index, and follow from its lines.
struct JointList: Codable, Hashable, Sendable {
    /// An index that the write changes.
    struct Participant: Codable, Hashable, Sendable {
        /// The possible paths, from the home's folder, of the folder of the index.
        ///
        /// The same write may rename that folder. Names can be swapped, so the pointer has the number of the
        /// participant.
        var paths: [String]
        var index: String
        /// The length and the checksum of the lines before the write, and of those after it.
        var before: String
        var after: String
        /// The line operations that turn the lines before into those after, as a journal has them.
        var operations: [String]
    }

    var participants: [Participant]
    /// What moves between the folders, in this order.
    var moves: [Move]?
    /// The machine that began the write.
    var machine: String

    /// The name of the file while the write may still fail.
    static let undecided: FileName = "tree"
    /// The name of the file once everything has moved.
    static let committed: FileName = "committed"
}

/// Leads from another participant to the home of a write, which has the list.
struct JointPointer: Codable, Hashable, Sendable {
    /// The paths to the home, from each place where the folder of the index can be.
    var homePaths: [String]
    var home: String
    /// The position of the index in the list.
    var number: Int
    /// The containers' folders that the write moves out of the folder of the index; nil if there are none.
    var names: [FileName]?
    /// The machine that began the write.
    var machine: String
}

/// The record that an index has of a write to several collections.
enum JointRecord {
    case list(JointList, isCommitted: Bool)
    case pointer(JointPointer)

    /// Decodes the bytes of a file; nil if they are incomplete or in an unknown form.
    init?(_ bytes: [UInt8], in file: FileName) {
        if let list = CheckedLine.decode(JointList.self, from: bytes), list.isConsistent {
            self = .list(list, isCommitted: file == JointList.committed)
        } else if let pointer = CheckedLine.decode(JointPointer.self, from: bytes) {
            self = .pointer(pointer)
        } else {
            return nil
        }
    }

    /// The machine that began the write.
    var machine: String {
        switch self {
        case .list(let list, _): list.machine
        case .pointer(let pointer): pointer.machine
        }
    }

    /// Names that nothing else may get before the write has ended, because something may come back to them.
    var movedNames: [FileName] {
        switch self {
        case .list(let list, _): (list.moves ?? []).flatMap { $0.names + ($0.newNames ?? []) }
        case .pointer(let pointer): pointer.names ?? []
        }
    }
}

extension JointList {
    /// Whether each move is between participants, and has a new name for each name or for none.
    fileprivate var isConsistent: Bool {
        (moves ?? []).allSatisfy { move in
            move.isWhole && participants.indices.contains(move.from.participant)
                && participants.indices.contains(move.to.participant)
        }
    }
}
