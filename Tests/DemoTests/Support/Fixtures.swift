import Foundation
import Testing

/// The photos of the package.
enum Fixtures {
    /// The folder of the photos, relative to this file when it was compiled.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Fixtures/photos", directoryHint: .isDirectory)
        .standardizedFileURL

    /// The eight photos, by name.
    static func photos() throws -> [URL] {
        let photos = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).filter { ["jpg", "png"].contains($0.pathExtension) }
        try #require(photos.count == 8)
        return photos.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// The smallest file that passes for a picture, and `text`.
    static func picture(_ text: String) -> Data { Data("GIF89a".utf8) + Data(text.utf8) }

    /// The path of the photo `name`.
    static func path(of name: String) -> String { folder.appending(path: name).path }

    /// The bytes of the photo `name`.
    static func data(named name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }
}
