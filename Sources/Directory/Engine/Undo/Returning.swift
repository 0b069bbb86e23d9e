import FileSystem

/// The files that a commit puts back, and the state that the files it removes must have.
struct Returning {
    /// The moves of the removed folders and files back to their places.
    var moves: [Move] = []
    /// The contents that the folders must have that the commit removes.
    var expectedContents: [FileName: FolderDigest] = [:]
    /// The states that the files must have that the commit removes, if they are known.
    var expectedFiles: [FileName: FileState] = [:]
}
