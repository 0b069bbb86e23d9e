import FileSystem

/// The file system, the names and the options of one index.
///
/// A class, so that handing it on costs one reference.
final class IndexStore: Sendable {
    let fileSystem: any FileSystem
    let names: IndexNames
    let options: DirectoryOptions
    /// The journal, while it stays open between commits.
    let journalFile: JournalFileCache

    init(
        fileSystem: any FileSystem, names: IndexNames, options: DirectoryOptions,
        journalFile: JournalFileCache = .init()
    ) {
        self.fileSystem = fileSystem
        self.names = names
        self.options = options
        self.journalFile = journalFile
    }

    /// The folders that can hold the assets of the index; new assets go into the first.
    ///
    /// The seed library kept photographs in `Photos`.
    var assetFolders: [FileName] {
        names.stem == "photos" ? [names.stem, "Photos"] : [names.stem]
    }
}
