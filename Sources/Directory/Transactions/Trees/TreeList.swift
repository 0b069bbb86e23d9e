import FileSystem

/// What one write changes in several indexes, written to disk before the first of them changes.
///
/// The home, the collection that the write was called on, has the list; every other index that changes has a
/// pointer to the home. Both are files in the folder of the transaction, which has the same digits everywhere.
///
/// The write has taken place if the list is named `committed`, or if one of the indexes has its new lines. What moves
/// among the files of one index is written in the intent of that index, and follows from its lines.
struct TreeList: Codable, Hashable, Sendable {
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

    var participants: [Participant]
    var moves: [Move]?
    /// The machine that began the write.
    var machine: String

    /// The name of the file while the write may still fail.
    static let undecided: FileName = "tree"
    /// The name of the file once everything has moved.
    static let committed: FileName = "committed"
}

/// The way from another index to the home of a write, which has the list.
struct TreePointer: Codable, Hashable, Sendable {
    /// The paths by which the home can be reached, from each place where the folder of the index can be.
    var homePaths: [String]
    var home: String
    /// The position of the index in the list.
    var number: Int
    /// The machine that began the write.
    var machine: String
}

/// What an index has of a write to several collections.
enum TreeRecord {
    case list(TreeList, isCommitted: Bool)
    case pointer(TreePointer)

    /// Decodes the bytes of a file; nil if it is not complete, or in a form that this version does not know.
    init?(_ bytes: [UInt8], in file: FileName) {
        if let list = CheckedLine.decode(TreeList.self, from: bytes) {
            self = .list(list, isCommitted: file == TreeList.committed)
        } else if let pointer = CheckedLine.decode(TreePointer.self, from: bytes) {
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

    /// What moves from one index to another, if this index has the list.
    var moves: [TreeList.Move] {
        if case .list(let list, _) = self { list.moves ?? [] } else { [] }
    }
}
