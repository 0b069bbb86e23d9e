import FileSystem
import Foundation
import Synchronization

/// The folders of the previews in use, which are only in memory: their items know these folders,
/// but must open nothing there on the disk.
enum PreviewFolders {
    private struct Preview {
        let path: [String]
        weak var fileSystem: MemoryFileSystem?
    }

    private static let previews = Mutex<[Preview]>([])

    /// Adds the folder of a preview, as long as `fileSystem` is in use.
    static func add(_ folder: URL, _ fileSystem: MemoryFileSystem) {
        previews.withLock { previews in
            previews.removeAll { $0.fileSystem == nil }
            previews.append(Preview(path: path(of: folder), fileSystem: fileSystem))
        }
    }

    /// Whether `folder` is the folder of a preview, or is inside it.
    static func contains(_ folder: URL) -> Bool {
        let path = path(of: folder)
        return previews.withLock { previews in
            previews.contains { path.starts(with: $0.path) && $0.fileSystem != nil }
        }
    }

    /// One path for all spellings of a folder.
    private static func path(of folder: URL) -> [String] {
        folder.standardizedFileURL.path(percentEncoded: false).split(separator: "/").map(
            String.init)
    }
}
