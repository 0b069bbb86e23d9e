import FileSystem
import Foundation

/// How and under which names one index is kept.
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

/// The folder of an index, open: reads the files of the index.
struct IndexFolder: Sendable {
    let store: IndexStore
    let handle: Handle

    var fileSystem: any FileSystem { store.fileSystem }
    var names: IndexNames { store.names }
    var options: DirectoryOptions { store.options }
    /// Where the folder was when it was opened.
    var url: URL { handle.url }
    /// The index, for messages.
    var indexURL: URL { handle.url(of: names.index) }
}

extension Handle {
    /// Where the folder was when it was opened.
    var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// The URL of `name` inside this folder.
    func url(of name: FileName) -> URL {
        URL(filePath: path(of: name), directoryHint: .notDirectory)
    }
}
