import FileSystem
package import Foundation

/// A new folder on another volume than the sandbox.
package final class OtherVolume: Sendable {
    package static let exists =
        device(of: "/dev/shm") != nil
        && device(of: "/dev/shm") != device(of: FileManager.default.temporaryDirectory.path)
    package let url = URL(filePath: "/dev/shm/directory-tests-\(UUID().uuidString)")

    package init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    private static func device(of path: String) -> UInt64? {
        let files = LocalFileSystem()
        return try? files.status(of: files.openFolder(at: path)).identity.device
    }
}
