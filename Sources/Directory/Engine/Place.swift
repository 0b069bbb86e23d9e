import FileSystem
import Foundation

/// Where the folder of an index is: at a path of the caller's, or in the folder of a container.
///
/// A place is looked up anew for each call, because containers can be renamed, moved and removed,
/// also by other processes; so no folder stays open between calls.
struct Place: Sendable {
    /// Where the folder is by what is known in memory.
    let url: @Sendable () -> URL
    /// Finds out anew where the folder is.
    let refresh: @Sendable () throws -> Void
    /// Opens the folder, nil where there is none.
    ///
    /// Where `making`, one at a path is made first.
    let open: @Sendable (_ making: Bool) throws -> Handle?
    /// Where the folder is on its volume, or will be.
    let anchor: @Sendable () throws -> Anchor
    /// What the place was made of: a path, or an item and its collection.
    let origin: any Hashable & Sendable
    /// Whether the folder is that of an item, which is found after a rename too.
    let followsItem: Bool
}

/// The nearest folder that exists on the way to another, and the path that is missing from there:
/// what all paths to that other one have in common, however they are spelled.
struct Anchor: Hashable, Sendable {
    let folder: FileIdentity
    var missingPath: [String] = []
}

extension Place {
    /// Whether this place and `other` lead to one folder, wherever that is.
    func isSame(as other: Place) -> Bool { AnyHashable(origin) == AnyHashable(other.origin) }

    /// The folder at the path of `url`, whose missing parts are made with `mode` when needed.
    ///
    /// Links in the path are followed, except in its last component where that is a container's.
    static func path(
        _ url: URL, on fileSystem: any FileSystem, mode: UInt16, isContainer: Bool
    ) throws -> Place {
        let path = url.path(percentEncoded: false)
        guard url.isFileURL, path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw DirectoryError(
                .invalidLocation, "use", url, "it is not the absolute URL of a folder")
        }
        let existing = { @Sendable in
            try fileSystem.unlessMissing {
                guard isContainer, let name = FileName(url.lastPathComponent) else {
                    return try fileSystem.openFolder(at: path)
                }
                let parent = url.deletingLastPathComponent().path(percentEncoded: false)
                return try fileSystem.openFolder(name, in: fileSystem.openFolder(at: parent))
            }
        }
        return Place(
            url: { url }, refresh: {},
            open: { making in
                if let folder = try existing() { return folder }
                return making ? try fileSystem.openOrMakeFolder(at: path, mode: mode) : nil
            },
            anchor: {
                // A link that is not to be followed is an error, not a folder above one to make.
                _ = try existing()
                let (folder, missing) = try fileSystem.nearestFolder(to: path)
                return Anchor(
                    folder: try fileSystem.status(of: folder).identity, missingPath: missing)
            }, origin: path, followsItem: false)
    }
}
