import FileSystem
public import Foundation
import Synchronization

/// A folder whose collections are in memory, for tests and previews.
///
/// While the volume lives, every collection that is opened below its folder is in memory: it runs
/// the same engine, takes options, can be released and opened again, and can be made to fail.
/// Children and the collections of a ``PlacedContainer`` are in memory too. For example:
///
///     let volume = MemoryVolume()
///     let trips = try Directory<Trip>(at: volume.url, index: "trips.json")
///     volume.fail(.noSpace)
///     #expect(throws: DirectoryError.self) { try trips.append(trip) }
///     try trips.append(trip)
///
/// Behaviour:
/// - The volume begins empty, and neither reads nor writes the files that are on the disk in its
///   folder. Files to import are read from the disk, as for any collection.
/// - An open collection keeps the volume alive. When the volume and its collections are released,
///   their contents are gone, and the folder is on the disk again.
/// - A collection that was opened in the folder before the volume was made stays on the disk, and
///   so do its children.
/// - Of several volumes with the same folder the newest is used, and of nested ones the innermost.
///   So tests that run at the same time need a volume each with its own folder: ``init()``.
/// - Every spelling of the folder's path leads to the volume, also through symbolic links.
/// - URLs of folders, indexes and staged files in the volume name nothing on the disk. Only
///   `url(of:)` of an asset does: it writes the bytes to a temporary file, which is removed with
///   the volume.
public final class MemoryVolume: Sendable {
    /// The folder below which collections are in memory.
    public let url: URL

    let fileSystem = MemoryFileSystem()
    let faults = Mutex(Faults())
    let files = Mutex(TemporaryFiles())

    /// Creates an empty volume at a folder that nothing else uses.
    public convenience init() {
        let name = "MemoryVolume-\(UUID().uuidString)"
        self.init(
            at: UserFolder.temporary.url
                .appending(path: name, directoryHint: .isDirectory))
    }

    /// Creates an empty volume at `folder`, which does not have to exist.
    ///
    /// Use it for code that opens its collections at a fixed place, such as
    /// `URL.applicationSupportDirectory`.
    ///
    /// - Parameter folder: The absolute file URL of a folder.
    public init(at folder: URL) {
        url = folder.standardizedFileURL
        register()
    }

    deinit {
        unregister()
        files.withLock { $0.remove() }
    }
}
