/// Guards what a subclass of ``Folder`` stores, so that folders are `Sendable`.
@globalActor public actor FolderActor {
    /// The one actor.
    public static let shared = FolderActor()
}

/// A folder of your own, in a folder of the system or another of your own.
///
/// The class names the folder, with a space for each underscore:
///
///     extension Library.Caches {
///         final class Web_Images: Folder {}
///         var Web_Images: Web_Images { subfolder() }
///     }
///     AppFolder.Library.Caches.Web_Images.subpath  // "Library/Caches/Web Images"
///
/// Only an isolated class can be both subclassed and `Sendable`, so this one is isolated to an
/// actor that nothing needs to wait for: all it has is nonisolated. Declare likewise what you add
/// to a subclass, such as a folder inside:
///
///     extension Library.Caches.Web_Images {
///         final class Small: Folder {}
///         nonisolated var Small: Small { subfolder() }
///     }
@FolderActor open class Folder: WritablePlace {
    private nonisolated let parent: Location
    private nonisolated let givenName: String?

    /// Names a folder in `parent`; ``WritablePlace/subfolder()`` is the shorter way.
    ///
    /// - Parameters:
    ///   - parent: The folder around it.
    ///   - name: The folder's name, or nil for that of the class.
    public nonisolated required init(in parent: some WritablePlace, named name: String? = nil) {
        self.parent = parent.location
        givenName = name
    }

    /// The name of the folder: the one given, else the name of the class with a space for `_`.
    ///
    /// Override it for another; it has to be one valid file name, and the same at every call.
    ///
    ///     final class Files: Folder {
    ///         override var folderName: String { "Custom" }
    ///     }
    open nonisolated var folderName: String {
        givenName
            ?? String(describing: type(of: self))
            .replacing("`", with: "")
            .replacing("\u{A0}", with: " ")  // how Swift prints the space of class `3D Models`
            .replacing("_", with: " ")
    }

    /// The location of the folder, made of its parent's and its name.
    public final nonisolated var location: Location { parent.appending(folderName) }

    /// Tells whether both name the same folder.
    public static nonisolated func == (one: Folder, other: Folder) -> Bool {
        one.location == other.location
    }

    /// Hashes where the folder is.
    public final nonisolated func hash(into hasher: inout Hasher) {
        hasher.combine(location)
    }
}
