import Foundation

/// The format of a picture, which the first bytes of its file tell.
enum PictureFormat: String {
    case jpeg, png, gif, webp, bmp, tiff, heic, avif

    /// How many bytes ``init(of:)`` needs.
    static let signatureLength = 12

    /// The format of a file with these first bytes; nil if it is no picture.
    init?(of bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(Self.signatureLength))
        func hasText(_ text: String, at offset: Int = 0) -> Bool {
            start.dropFirst(offset).starts(with: text.utf8)
        }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if hasText("GIF87a") || hasText("GIF89a") {
            self = .gif
        } else if hasText("RIFF"), hasText("WEBP", at: 8) {
            self = .webp
        } else if hasText("BM"), start.count >= 6 {
            self = .bmp
        } else if start.starts(with: [0x49, 0x49, 0x2A, 0])
            || start.starts(with: [0x4D, 0x4D, 0, 0x2A])
        {
            self = .tiff
        } else if hasText("ftyp", at: 4), hasText("avif", at: 8) {
            self = .avif
        } else if hasText("ftyp", at: 4),
            ["heic", "heix", "mif1"].contains(where: { hasText($0, at: 8) })
        {
            self = .heic
        } else {
            return nil
        }
    }

    /// The media type, as IANA registers it.
    var mediaType: String { "image/\(rawValue)" }
}
