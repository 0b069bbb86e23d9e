/// An item that owns a folder, which holds its child collections.
///
///     struct Project: Container {
///         let id: UUID
///         var title: String
///         var folderName: String { "Project_\(title)".safeFolderName() }
///     }
///
/// The folder is beside the index. It is made when the item is added, renamed in the same
/// transaction when an update changes `folderName`, and removed with the item.
public protocol Container: Codable, Identifiable, Sendable where ID: Sendable {
    /// The name of the item's folder.
    ///
    /// It is one valid file name of at most 249 bytes that does not begin with a dot and does not end in `.recovered`.
    /// If a person typed it, make it with `freeFolderName(for:of:beside:fallback:)`, and keep it in the item.
    ///
    /// If other collections are in the same folder, their names, such as `notes` and `notes.json`, are taken. The
    /// names of two items must differ in more than case and Unicode normalisation.
    var folderName: String { get }
}

extension Container {
    /// The item's id as text.
    public var folderName: String { "\(id)" }
}

/// An item that owns one file in the assets folder beside its index.
///
/// The assets folder has the name of the index without its extension: the assets of `photos.json`
/// are in `photos/`. Items are inserted with their files by `insert(_:progress:_:)`, and the file
/// is removed with its item.
public protocol Asset: Codable, Identifiable, Sendable where ID: Sendable {
    /// The name of the item's file: one valid file name, which stays the same as long as the item has this file.
    ///
    /// An item gets it from the staged file, by ``StagedAsset/fileName(for:)``, and gets another one only with another
    /// file.
    var fileName: String { get }
}

/// The name and the item type of a collection inside containers.
///
///     extension Child where Item == Note {
///         static let notes = Child("notes")
///     }
///     let notes = try projects.child(.notes, of: project.id)
public struct Child<Item>: Hashable, Sendable {
    /// The name of the collection: its index is `name.json`, its assets are in `name/`.
    public let name: String

    /// Creates a description of the collection `name`; nothing is made on disk.
    public init(_ name: String) {
        self.name = name
    }
}

extension Child where Item == Photo {
    /// The photographs of a container: the index `photos.json`, and their files in `photos/`.
    public static let photos = Child("photos")
}
