import FileSystem

/// The files that a commit puts back, and the state that the files it removes must have.
struct Returning {
    /// The removed folders and files.
    var kept: KeptFiles?
    /// The contents that the folders must have that the commit removes.
    var expectedContents: [FileName: FolderDigest] = [:]
    /// The states that the files must have that the commit removes, if they are known.
    var expectedFiles: [FileName: FileState] = [:]
}
