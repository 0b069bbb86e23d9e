import FileSystem
public import Foundation

/// A container that knows the folder its collection lies in, so that it can open its own
/// children.
///
///     struct Project: PlacedContainer {
///         let id: UUID
///         var name: String
///         var parent: URL { Storage.projects }
///         var folderName: String { "Project_\(name)" }
///         var photos: Directory<Photo> { get throws { try directory(.photos) } }
///     }
///
/// A value remembers where its container was. After a rename, a transfer or a removal, get the
/// value anew from its collection.
public protocol PlacedContainer: Container {
    /// The folder of the collection that the item belongs to.
    var parent: URL { get }
}

extension PlacedContainer {
    /// The item's own folder; asking for it makes nothing on disk.
    public var folder: URL { parent.appending(path: folderName, directoryHint: .isDirectory) }

    /// Opens a collection that the item holds; asking twice gives two values on the same data.
    ///
    /// - Throws: ``DirectoryError`` with `invalidLocation` if the parent cannot be used,
    ///   `invalidName` if the folder name is not one, `accessDenied` or `ioFailure`.
    public func directory<C>(_ child: Child<C>, options: DirectoryOptions = .init()) throws
        -> Directory<C>
    {
        try NameRules.check(folderName, in: parent)
        return try Directory<C>(
            at: folder, index: "\(child.name).json", options: options, on: LocalFileSystem(),
            isContainer: true)
    }
}
