import Foundation

/// The photos that come with the package.
enum Fixtures {
    /// The photos in the nearest `Fixtures/photos` above the executable or the current folder.
    ///
    /// - Throws: ``Failure`` if there is no such folder.
    static func photos() throws -> [URL] {
        let current = URL(filePath: FileManager.default.currentDirectoryPath)
        // The last one is the folder of this file when the demo was built.
        let starts = [Bundle.main.executableURL, current, URL(filePath: #filePath)]
        for folder in starts.compactMap({ $0 }).flatMap(ancestors) {
            let photos = folder.appending(path: "Fixtures/photos", directoryHint: .isDirectory)
            // A folder that cannot be listed has no fixtures.
            let files = (try? photos.visibleEntries()) ?? []
            let images = files.filter { ["jpg", "png"].contains($0.pathExtension) }
            if !images.isEmpty { return images }
        }
        throw Failure(
            .operation, "Fixtures/photos was not found: start the tour in the package folder")
    }

    private static func ancestors(of url: URL) -> [URL] {
        var (folder, found) = (url.standardizedFileURL, [URL]())
        while folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            found.append(folder)
        }
        return [url] + found
    }
}
