import FileSystem

/// What the home of a write to several collections records: all participants, and what moves between them.
///
/// Moves within one index are in the intent of that index, and follow from its lines.
struct JointHome: Codable, Hashable, Sendable {
    /// An index that the write changes.
    struct Participant: Codable, Hashable, Sendable {
        /// The possible paths, from the home's folder, of the folder of the index; that of the home itself is empty.
        ///
        /// The same write may rename that folder. Names can be swapped, so a participant has its number.
        var paths: [String]
        var index: String
        /// The folder of the index (``IndexFolder/mark``).
        var folder: String
    }

    var participants: [Participant]
    /// What moves between the folders, in this order.
    var moves: [Move]?
    /// The machine that began the write.
    var machine: String
}

/// What another participant of the write records, to find the home.
struct JointParticipant: Codable, Hashable, Sendable {
    /// The paths to the home, from each place where the folder of the index can be.
    var homePaths: [String]
    var home: String
    /// The folders of the index and of the home (``IndexFolder/mark``).
    var folder: String
    var homeFolder: String
    /// The number of the index among the participants.
    var participant: Int
    /// The containers' folders that the write moves out of the folder of the index; nil if there are none.
    var names: [FileName]?
    /// The machine that began the write.
    var machine: String
}

extension IndexFolder {
    /// What tells the folder from others that have its name, such as a copy: its inode number, and when it was made.
    ///
    /// Without the number of the device, which can change with a restart.
    var mark: String {
        get throws {
            let identity = try fileSystem.status(of: handle).identity
            return "\(identity.inode) \(identity.born)"
        }
    }
}

extension JointHome {
    /// Whether each move is between participants, and has a new name for each name or for none.
    var isConsistent: Bool {
        (moves ?? []).allSatisfy { move in
            move.isWhole && participants.indices.contains(move.from.participant)
                && participants.indices.contains(move.to.participant)
        }
    }
}
