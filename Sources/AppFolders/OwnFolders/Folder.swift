/// Isolates the stored properties of subclasses of ``Folder``, so that folders are `Sendable`.
@globalActor public actor FolderActor {
    /// The only instance.
    public static let shared = FolderActor()
}

/// Your own folder, in a folder of the system or in another folder of your own.
///
/// The name of the class is the name of the folder, with a space for each underscore:
///
///     extension Library.Caches {
///         final class Web_Images: Folder {}
///         var Web_Images: Web_Images { subfolder() }
///     }
///     AppFolder.Library.Caches.Web_Images.subpath  // "Library/Caches/Web Images"
///
/// Only an isolated class can be both `open` and `Sendable`, so this class is isolated to an actor.
/// No code has to wait for that actor, because all members are nonisolated. Declare the members
/// that you add to a subclass as nonisolated too, such as a folder inside it:
///
///     extension Library.Caches.Web_Images {
///         final class Small: Folder {}
///         nonisolated var Small: Small { subfolder() }
///     }
@FolderActor open class Folder: WritablePlace {
    private nonisolated let parent: Location
    private nonisolated let givenName: String?

    /// Names a folder in `parent`; ``WritablePlace/subfolder()`` is shorter.
    ///
    /// - Parameters:
    ///   - parent: The folder that holds this one.
    ///   - name: The folder's name, or nil for the name of the class.
    public nonisolated required init(in parent: some WritablePlace, named name: String? = nil) {
        self.parent = parent.location
        givenName = name
    }

    /// The given name, or the name of the class with a space for each underscore.
    ///
    /// Override it for another name, which must be a valid file name and the same at every call.
    ///
    ///     final class Files: Folder {
    ///         override var folderName: String { "Custom" }
    ///     }
    open nonisolated var folderName: String {
        givenName
            ?? String(describing: type(of: self))
            .replacing("`", with: "")
            .replacing("\u{A0}", with: " ")  // Swift's text for the space in class `3D Models`
            .replacing("_", with: " ")
    }

    /// The location of the folder: that of its parent, and its name.
    public final nonisolated var location: Location { parent.appending(folderName) }

    /// Whether both name the same folder.
    public static nonisolated func == (one: Folder, other: Folder) -> Bool {
        one.location == other.location
    }

    /// Hashes the location of the folder.
    public final nonisolated func hash(into hasher: inout Hasher) {
        hasher.combine(location)
    }
}
