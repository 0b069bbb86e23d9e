import Foundation

// The pictures of the tour are photos that come with the package, or are made.
extension Tour {
    /// The names of the pictures, without their extensions.
    private static let names = [
        "astronaut", "camera", "chelsea", "coffee", "hubble", "moon", "retina", "rocket",
    ]

    /// Finds the photos in the nearest `Fixtures/photos` above the executable or the current folder.
    ///
    /// If there are none, as for an installed binary, it makes pictures in `folder`.
    ///
    /// - Returns: The pictures, by name.
    static func findPictures(orMakeThemIn folder: URL) throws -> [URL] {
        let current = URL(filePath: FileManager.default.currentDirectoryPath)
        for above in [Bundle.main.executableURL, current].compactMap(\.self).flatMap(\.ancestors) {
            // A folder that cannot be listed has no photos.
            let files = (try? above.appending(path: "Fixtures/photos").visibleContents()) ?? []
            let photos = files.filter { ["jpg", "png"].contains($0.pathExtension) }
            let stems = photos.map { $0.deletingPathExtension().lastPathComponent }
            if stems == names { return photos }
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try names.enumerated().map { number, name in
            let file = folder.appending(path: "\(name).bmp")
            try picture(red: 30 * number).write(to: file)
            return file
        }
    }

    /// A BMP file of 120 x 90 pixels, which becomes darker from the top, with this part of red, up to 255.
    private static func picture(red: Int) -> Data {
        // The sizes of the file, of this header and of its part about the picture, the width, the height, 1, 24 bits.
        let sizes: [UInt8] = [0xAA, 0x7E, 0, 0, 0, 0, 0, 0, 26, 0, 0, 0, 12, 0, 0, 0]
        let header = Array("BM".utf8) + sizes + [120, 0, 90, 0, 1, 0, 24, 0]
        // The first row is the lowest one. A pixel is blue, green and red.
        let rows = (0..<90).flatMap { row in
            let pixel = [200, 130, red].map { UInt8($0 * row / 90) }
            return repeatElement(pixel, count: 120).joined()
        }
        return Data(header + rows)
    }
}
