public import Foundation

/// A folder with a name in code: one of the system's, or one of your own.
///
/// A place is a description. Making, comparing and asking one creates nothing on disk.
///
/// - Places are equal if they name the same folder.
/// - A place never lies outside the folder that it was named in.
public protocol Place: Hashable, Sendable, CustomStringConvertible {
    /// Where the folder is; take it from another place.
    var location: Location { get }

    /// The name of the folder on disk, such as `Application Support`.
    var folderName: String { get }
}

extension Place {
    /// The folder of the root, which the subpath starts from.
    public var baseURL: URL { location.root.baseURL }

    /// The address of the folder, which ends in a slash.
    ///
    /// It is the base URL and the subpath, except for the app's own folders where the system puts
    /// them elsewhere: on Linux, `$XDG_CACHE_HOME` is `Library/Caches`, `$XDG_DATA_HOME` is both
    /// `Library` and `Library/Application Support`, and `$TMPDIR` is `tmp`. If a class declares
    /// a name that no folder can have, the name is escaped here, and ``WritablePlace/create()``
    /// throws. Only asking for the address reads the system's settings: on Linux, the variables
    /// and `user-dirs.dirs`.
    public var url: URL { location.url }

    /// The path from the root, such as `Library/Caches`, the same on every platform.
    public var subpath: String { location.subpath }

    /// The last component of the subpath.
    public var folderName: String {
        location.names.last?.text ?? (subpath as NSString).lastPathComponent
    }

    /// Whether the system's backup holds the files of this place.
    ///
    /// True in `Documents` and `Library`, false in `Library/Caches` and `tmp`. It tells the
    /// system's rule, not whether ``WritablePlace/excludeFromBackup()`` has marked a folder.
    public var isBackedUp: Bool { location.place.isBackedUp }

    /// Whether the system may delete the files of this place while the app is not running.
    ///
    /// True in `Library/Caches` and `tmp`, where an app can make every file again.
    public var isPurgeable: Bool { location.place.isPurgeable }

    /// The path of the folder.
    public var description: String { url.filePath }
}

extension URL {
    /// The address of `place`, the same as ``Place/url``.
    ///
    /// - Parameter place: The folder whose address to take.
    public init(of place: some Place) {
        self = place.url
    }
}
