public import Foundation

/// A folder with a name in code: a folder of the system, or your own.
///
/// A place only describes a folder. Creating or comparing places does not change the disk.
///
/// - Places are equal if they name the same folder.
/// - A place is always inside the folder that it was named in.
public protocol Place: Hashable, Sendable, CustomStringConvertible {
    /// The location of the folder, which only other places give.
    var location: Location { get }

    /// The name of the folder on disk, such as `Application Support`.
    var folderName: String { get }
}

extension Place {
    /// The URL of the root, which the subpath is relative to.
    public var baseURL: URL { location.root.baseURL }

    /// The URL of the folder, which ends in a slash.
    ///
    /// It is the base URL and the subpath, unless the system puts the app's folder elsewhere: on
    /// Linux, `$XDG_CACHE_HOME` is `Library/Caches`, `$XDG_DATA_HOME` is both `Library` and
    /// `Library/Application Support`, and `$TMPDIR` is `tmp`. If a class declares an invalid
    /// name, the name is escaped in the URL, and ``WritablePlace/create()`` throws. Only this
    /// property reads the settings of the system: on Linux, the variables and `user-dirs.dirs`.
    public var url: URL { location.url }

    /// The path relative to the root, such as `Library/Caches`, the same on every platform.
    public var subpath: String { location.subpath }

    /// The last component of the subpath.
    public var folderName: String {
        location.names.last?.text ?? (subpath as NSString).lastPathComponent
    }

    /// Whether the system backs up the files of this place.
    ///
    /// True in `Documents` and `Library`, false in `Library/Caches` and `tmp`. It is the rule of
    /// the system, also for a folder that ``WritablePlace/excludeFromBackup()`` has marked.
    public var isBackedUp: Bool { location.place.isBackedUp }

    /// Whether the system may delete the files of this place while the app is not running.
    ///
    /// True in `Library/Caches` and `tmp`, where an app can make every file again.
    public var isPurgeable: Bool { location.place.isPurgeable }

    /// The path of the folder.
    public var description: String { url.filePath }
}

extension URL {
    /// Creates the URL of `place`, the same as ``Place/url``.
    ///
    /// - Parameter place: The folder.
    public init(of place: some Place) {
        self = place.url
    }
}
