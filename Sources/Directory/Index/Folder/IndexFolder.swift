import FileSystem
import Foundation

/// The open folder of an index, with everything that needs no lock.
struct IndexFolder: Sendable {
    let store: IndexStore
    let handle: Handle

    var fileSystem: any FileSystem { store.fileSystem }
    var names: IndexNames { store.names }
    var options: DirectoryOptions { store.options }
    /// The URL that the folder had when it was opened.
    var url: URL { handle.url }
    /// The URL of the index, for messages.
    var indexURL: URL { handle.url(of: names.index) }
}

extension Handle {
    /// The URL that the folder had when it was opened.
    var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// The URL of `name` inside this folder.
    func url(of name: FileName) -> URL {
        URL(filePath: path(of: name), directoryHint: .notDirectory)
    }
}
