import FileSystem

/// The names that elements own after a change, and the files and folders that move, come and go with it.
struct PlannedNames {
    /// The names that elements own after the change.
    var names = OwnedNames()
    var removedFiles: [FileName] = []
    /// The folders that move.
    var movedFolders: [Intent.Folder] = []
    /// The folders of new containers that do not exist yet.
    var newFolders: [FileName] = []
    /// Whether the new folders are marked until the commit, because another index may be in the same folder.
    var marksNewFolders = false
    /// Marked folders of crashed appends, which are removed before their names are used again.
    var leftoverFolders: [FileName] = []
    /// Empty folders that are removed, because a renamed, brought-back, copied or filled container gets their name.
    var emptyFolders: [FileName] = []
    /// Whether a new container uses an existing empty folder, which may not be synced.
    var usesEmptyFolder = false
    /// The folder names that the change gives to elements.
    var givenFolders: [FileName] = []
    /// The other indexes in the folder when the names were chosen.
    var others = OtherIndexes()

    /// Whether files are removed, or folders move.
    var movesAny: Bool { !removedFiles.isEmpty || !movedFolders.isEmpty }
}
