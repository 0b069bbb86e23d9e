import FileSystem
import Foundation

/// A file store in memory, for tests and previews, that behaves like ``DiskFileStore``.
///
///     let store = InMemoryFileStore()
///     try await store.save(Data("Milk".utf8), to: "notes/1.txt")
///     #expect(store.exists("notes/1.txt"))
///
/// It is the same code on a file system in memory. ``init()`` makes a new, empty store; a copy of
/// the value is the same store. The store's URLs are inside `/dev/null`, so no other code finds
/// its files, but the store itself accepts them as sources of a copy or a move.
public struct InMemoryFileStore: FileStoring, FolderStoring {
    let folder: StoreFolder

    /// Creates an empty store.
    public init() {
        folder = StoreFolder(
            "InMemoryFileStore-\(UUID().uuidString)", in: .nowhere, on: MemoryFileSystem(),
            sourceFileSystem: LocalFileSystem(), protection: .none)
    }
}

extension URL {
    /// A folder that cannot hold a file, because it is a device.
    static let nowhere = URL(filePath: "/dev/null", directoryHint: .isDirectory)
}
