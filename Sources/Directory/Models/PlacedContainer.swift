public import Foundation

/// A container that knows the folder of its collection, so that it can open its own children.
///
///     struct Project: PlacedContainer {
///         let id: UUID
///         var name: String
///         var parent: URL { Storage.projects }
///         var folderName: String { "Project_\(name)" }
///         var photos: Directory<Photo> { get throws { try directory(.photos) } }
///     }
///
/// A value has the old place of its container after a rename, a transfer or a removal: get the
/// value again from its collection.
public protocol PlacedContainer: Container {
    /// The folder of the collection that the item belongs to.
    var parent: URL { get }
}

extension PlacedContainer {
    /// The item's own folder; this makes nothing on disk.
    public var folder: URL { parent.appending(path: folderName, directoryHint: .isDirectory) }
}
