import FileSystem

/// A folder of the original, and what of it is in the copy.
///
/// A class, because the passes over the folders change these values where they are.
final class CopiedFolder {
    typealias Path = FolderPath

    enum State {
        /// Not all of it is in the copy.
        case new
        /// The copy has it as it was with these marks, when the locks of its indexes were held.
        case steady([FileName: IndexMark])
        /// It changes while the copy is made, so it is copied under locks at the end of each round.
        case changing
    }

    /// The folder of the original.
    let identity: FileIdentity
    /// The path from the top of the copy.
    let path: Path
    var state = State.new
    /// The files in the copy, by the paths of their folders.
    var files: [Path: [FileName: CopiedFile]] = [:]
    /// The journals in the copy.
    var journals: Set<FileName> = []
    /// The indexes in the copy.
    var indexes: Set<FileName> = []
    /// The folders inside it that have indexes of their own, or may have.
    var subfolders: [Path: CopiedFolder] = [:]
    /// Whether a process that has died left something that must be ended before it can be copied.
    var needsRecovery = false
    /// The transfers that cannot be ended, because the other index is missing.
    var stuckTrees: Set<FileName> = []

    init(_ identity: FileIdentity, at path: Path = []) {
        self.identity = identity
        self.path = path
    }

    /// Whether the folder, or one inside it, is still to be copied or is copied again.
    var isUnsettled: Bool {
        if case .steady = state { return subfolders.values.contains(where: \.isUnsettled) }
        return true
    }
}

/// A file in the copy.
struct CopiedFile {
    /// The file that it was made of, as it was then.
    let original: FileStatus
    /// Whether it is also in the earlier copy, and synced.
    var isInEarlierCopy = false

    /// Whether it was made of the file with this status, not written to since.
    func isCopy(of status: FileStatus) -> Bool {
        original.identity == status.identity && original.size == status.size
            && original.modified == status.modified
    }
}
