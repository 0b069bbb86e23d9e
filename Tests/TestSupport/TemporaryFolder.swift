public import Foundation

/// A new folder in the temporary folder of the system; the release of the value removes it.
public final class TemporaryFolder: Sendable {
    /// The folder.
    public let url: URL

    /// Makes the folder.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(
            path: "directory-tests-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // A test may have removed the permission to list a folder.
        let folders = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
        for case let folder as URL in folders ?? .init() where folder.hasDirectoryPath {
            try? FileManager.default.setAttributes(
                [.posixPermissions: 0o700], ofItemAtPath: folder.path)
        }
        try? FileManager.default.removeItem(at: url)
    }
}
