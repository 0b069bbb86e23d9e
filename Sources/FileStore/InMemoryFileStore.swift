import FileSystem
import Foundation

/// A file store in memory, for tests and previews, with the promises of ``DiskFileStore``.
///
///     let store = InMemoryFileStore()
///     try await store.save(Data("Milk".utf8), to: "notes/1.txt")
///     #expect(store.exists("notes/1.txt"))
///
/// It is the same code on a file system in memory. Each store made with ``init()`` is empty and
/// its own; a copy of the value is the same store. Its URLs lie in `/dev/null`, where no other
/// code finds a file, but the store itself takes them as sources of a copy or a move.
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
    /// A folder that nothing can be in, because it is a device.
    static let nowhere = URL(filePath: "/dev/null", directoryHint: .isDirectory)
}
