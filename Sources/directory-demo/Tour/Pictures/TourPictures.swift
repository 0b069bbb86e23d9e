import Foundation

/// The pictures of the tour: photos that come with the package, or pictures that are made.
struct TourPictures {
    /// The pictures, by name.
    let files: [URL]
    /// The temporary folder with the pictures, if they were made.
    private let temporary: URL?

    /// Finds the photos in the nearest `Fixtures/photos` above the executable or the current folder.
    ///
    /// If there are none, as for an installed binary, it makes pictures.
    init() throws {
        if let photos = Self.photos() {
            (files, temporary) = (photos, nil)
            return
        }
        let name = "directory-demo-pictures-\(UUID())"
        let folder = FileManager.default.temporaryDirectory.appending(
            path: name, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        files = try PaintedPicture.all.map { picture in
            let file = folder.appending(path: "\(picture.name).png")
            try picture.png.write(to: file)
            return file
        }
        temporary = folder
    }

    /// Removes the pictures that were made; best effort, because they are in a temporary folder.
    func remove() {
        if let temporary { try? FileManager.default.removeItem(at: temporary) }
    }

    private static func photos() -> [URL]? {
        let current = URL(filePath: FileManager.default.currentDirectoryPath)
        for folder in [Bundle.main.executableURL, current].compactMap({ $0 }).flatMap(\.ancestors) {
            let photos = folder.appending(path: "Fixtures/photos", directoryHint: .isDirectory)
            // A folder that cannot be listed has no photos.
            let files = (try? FolderListing(of: photos).urls) ?? []
            let images = files.filter { ["jpg", "png"].contains($0.pathExtension) }
            let names = images.map { $0.deletingPathExtension().lastPathComponent }
            if names == PaintedPicture.all.map(\.name) { return images }
        }
        return nil
    }
}
