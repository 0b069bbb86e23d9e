import Foundation

/// The format of a picture, found by the first bytes of its file, and named as in its media type: `image/jpeg`.
enum PictureFormat: String {
    case jpeg, png, gif, webp, bmp, tiff, heic, avif

    /// The first bytes of files of each format, at most 12; a question mark stands for any byte.
    private static let signatures: [(Self, [UInt8])] = [
        (.jpeg, [0xFF, 0xD8, 0xFF]), (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        (.gif, Array("GIF87a".utf8)), (.gif, Array("GIF89a".utf8)),
        (.webp, Array("RIFF????WEBP".utf8)), (.bmp, Array("BM????".utf8)),
        (.tiff, [0x49, 0x49, 0x2A, 0]), (.tiff, [0x4D, 0x4D, 0, 0x2A]),
        (.avif, Array("????ftypavif".utf8)), (.heic, Array("????ftypheic".utf8)),
        (.heic, Array("????ftypheix".utf8)), (.heic, Array("????ftypmif1".utf8)),
    ]

    /// The format of a file with these first bytes; nil if it is no picture.
    init?(of bytes: Data) {
        let match = Self.signatures.first { _, signature in
            bytes.count >= signature.count
                && zip(bytes, signature).allSatisfy { $0 == $1 || $1 == UInt8(ascii: "?") }
        }
        guard let match else { return nil }
        self = match.0
    }
}
