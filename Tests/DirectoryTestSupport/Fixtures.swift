package import Foundation

/// The files in the folder `Fixtures` of the repository.
package enum Fixtures {
    package static let repository = URL(filePath: #filePath).appending(path: "../../..")
        .standardizedFileURL
    package static let url = repository.appending(path: "Fixtures")

    /// The eight photographs.
    package static var photos: [URL] {
        get throws {
            let folder = url.appending(path: "photos")
            return try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil
            ).filter { ["jpg", "png"].contains($0.pathExtension) }.sorted { $0.path < $1.path }
        }
    }
}
