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

    /// The folder at the path of `url`, whose missing parts are made with `mode` when needed.
    static func path(_ url: URL, on fileSystem: any FileSystem, mode: UInt16) throws -> Place {
        let path = url.path(percentEncoded: false)
        guard url.isFileURL, path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw DirectoryError(
                .invalidLocation, "use", url, "it is not the absolute URL of a folder")
        }
        return Place {
            url
        } refresh: {
        } open: { making in
            if let folder = try fileSystem.unlessMissing({ try fileSystem.openFolder(at: path) }) {
                return folder
            }
            return making ? try makePath(path, on: fileSystem, mode: mode) : nil
        }
    }

    /// Makes every missing folder of `path`, each synced into the one above it.
    private static func makePath(_ path: String, on fileSystem: any FileSystem, mode: UInt16)
        throws -> Handle
    {
        let parts = path.split(separator: "/")
        var folder = try fileSystem.openFolder(at: "/")
        for (depth, part) in parts.enumerated() {
            let prefix = "/" + parts[...depth].joined(separator: "/")
            let existing = try fileSystem.unlessMissing { try fileSystem.openFolder(at: prefix) }
            if let existing {
                folder = existing
                continue
            }
            let made = try fileSystem.openOrMakeFolder(
                FileName(validating: String(part)), in: folder, mode: mode)
            try fileSystem.sync(folder)
            folder = made
        }
        return folder
    }
}
