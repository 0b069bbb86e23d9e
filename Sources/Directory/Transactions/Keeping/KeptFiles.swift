import FileSystem

/// The folders and files that one commit removed, which wait in the trash so that they can come back.
///
/// Each of them has a hidden random name there.
struct KeptFiles: Sendable {
    /// The folder of this process in the trash.
    var owner: FileName
    /// The folder in that folder.
    var name: FileName
    /// The hidden names of the folders, by the names that they had.
    var folders: [FileName: FileName] = [:]
    /// The hidden names of the files, by the names that they had in the assets folder.
    var files: [FileName: FileName] = [:]
}

extension KeptFiles {
    /// The files as imports of a commit that brings them back.
    var imports: [Intent.Import] {
        get throws {
            try files.keys.sorted { $0.string < $1.string }.enumerated().map { number, name in
                Intent.Import(staged: try FileName(validating: "\(number + 1)"), asset: name)
            }
        }
    }
}
