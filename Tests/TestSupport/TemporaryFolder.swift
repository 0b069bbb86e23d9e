public import Foundation

/// A new folder in the system's temporary folder, removed with all that lies in it when the value
/// goes.
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
        // A test may have taken the permission to look into a folder away.
        let folders = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
        for case let folder as URL in folders ?? .init() where folder.hasDirectoryPath {
            try? FileManager.default.setAttributes(
                [.posixPermissions: 0o700], ofItemAtPath: folder.path)
        }
        try? FileManager.default.removeItem(at: url)
    }
}
