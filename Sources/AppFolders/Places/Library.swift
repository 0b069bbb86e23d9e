/// Files that the user never opens.
///
/// It is backed up and never purged, except for ``Caches-struct``. On Linux, which has no such folder, it
/// is the same as ``Application_Support-struct``.
public struct Library: WritablePlace {
    /// The location of `Library` in its root.
    public let location: Location

    /// Files that can be downloaded or made again.
    public var Caches: Caches { .init(location: Location(root: location.root, place: .caches)) }

    /// Files that the app needs to run, such as its database.
    public var Application_Support: Application_Support {
        .init(location: Location(root: location.root, place: .applicationSupport))
    }
}

extension Library {
    /// Files that can be downloaded or made again.
    ///
    /// The system may delete them while the app is not running, if it needs space, so the app must
    /// work without them. They are not backed up.
    public struct Caches: WritablePlace {
        /// The location of `Library/Caches` in its root.
        public let location: Location
    }

    /// Files that the app needs to run and the user never opens, such as its database.
    ///
    /// They are backed up and never purged. Call ``WritablePlace/excludeFromBackup()`` for a folder
    /// with files that can be downloaded again.
    public struct Application_Support: WritablePlace {
        /// The location of `Library/Application Support` in its root.
        public let location: Location
    }
}
