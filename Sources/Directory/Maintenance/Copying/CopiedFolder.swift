import FileSystem

/// A folder of the original, and its files that are in the copy.
///
/// A class, because the passes over the folders change these values in place.
final class CopiedFolder {
    typealias Path = FolderPath

    enum State {
        /// Not all of it is in the copy.
        case new
        /// The copy has the folder as it was under the locks of its indexes, which had these marks then.
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
    /// The indexes in the copy that are no copies of files, because a journal had newer changes.
    var completed: Set<FileName> = []
    /// The indexes in the copy.
    var indexes: Set<FileName> = []
    /// The folders inside it that have indexes of their own, or may have.
    var subfolders: [Path: CopiedFolder] = [:]
    /// Whether a dead process left a write to several collections, which is ended first, if it can be.
    var needsRecovery = false
    /// The writes to several collections that cannot be ended.
    var stuckJointWrites: Set<String> = []

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
    /// The status of the original file when it was copied.
    let original: FileStatus
    /// Whether it is also in the earlier copy, and synced.
    var isInEarlierCopy = false
}
