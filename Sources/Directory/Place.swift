import FileSystem
import Foundation

/// Where the folder of an index is: at a path of the caller's, or in the folder of a container.
///
/// A place is looked up anew for each call, because containers can be renamed, moved and removed,
/// also by other processes; so no descriptor stays open between calls.
struct Place: Sendable {
    /// Where the folder is by what is known in memory.
    let url: @Sendable () -> URL
    /// Finds out anew where the folder is.
    let refresh: @Sendable () throws -> Void
    /// Opens the folder, nil where there is none.
    ///
    /// Where `making`, one at a path is made first.
    let open: @Sendable (_ making: Bool) throws -> Handle?
    /// Where the folder is on the volume, nearest first; none where it cannot come to be.
    let anchors: @Sendable () throws -> [Anchor]
    /// Whether the folder is that of an item, which is found after a rename too.
    let followsItem: Bool
}

/// A folder that exists, and the path from there to one that may not: what all paths to a folder
/// have in common, whether they are spelled the same or not.
struct Anchor: Hashable, Sendable {
    let folder: FileIdentity
    let missingPath: [String]
}

extension Place {
    /// The folder at the path of `url`, whose missing parts are made with `mode` when needed.
    static func path(_ url: URL, on fileSystem: any FileSystem, mode: UInt16) throws -> Place {
        let path = url.path(percentEncoded: false)
        guard url.isFileURL, path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw DirectoryError(
                .invalidLocation, "use", url, "it is not the absolute URL of a folder")
        }
        return Place(
            url: { url }, refresh: {},
            open: { making in
                let folder = try fileSystem.unlessMissing { try fileSystem.openFolder(at: path) }
                if let folder { return folder }
                return making ? try makePath(path, on: fileSystem, mode: mode) : nil
            },
            anchors: { try anchors(of: path, on: fileSystem) }, followsItem: false)
    }

    /// Makes every missing folder of `path`, each synced into the one above it.
    ///
    /// The folders above those need not be open to this user.
    private static func makePath(_ path: String, on fileSystem: any FileSystem, mode: UInt16)
        throws -> Handle
    {
        var existing = path.split(separator: "/")
        var missing: [Substring] = []
        while true {
            let prefix = "/" + existing.joined(separator: "/")
            let found = try fileSystem.unlessMissing { try fileSystem.openFolder(at: prefix) }
            guard var folder = found else {
                missing.append(existing.removeLast())
                continue
            }
            for part in missing.reversed() {
                let made = try fileSystem.openOrMakeFolder(
                    FileName(validating: String(part)), in: folder, mode: mode)
                try fileSystem.sync(folder)
                folder = made
            }
            return folder
        }
    }

    /// The folder at `path` as seen from itself and from each folder above it that exists.
    private static func anchors(of path: String, on fileSystem: any FileSystem) throws -> [Anchor] {
        var above = path.split(separator: "/").map(String.init)
        var below: [String] = []
        var anchors: [Anchor] = []
        while true {
            do {
                let prefix = "/" + above.joined(separator: "/")
                let folder = try fileSystem.unlessMissing { try fileSystem.openFolder(at: prefix) }
                if let folder {
                    let identity = try fileSystem.status(of: folder).identity
                    anchors.append(Anchor(folder: identity, missingPath: below))
                }
            } catch is FileSystemError where !anchors.isEmpty {
                // The folders above one that is open to this user need not be.
                return anchors
            }
            guard let last = above.popLast() else { return anchors }
            below.insert(last, at: 0)
        }
    }
}
