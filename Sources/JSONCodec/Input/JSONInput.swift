/// The JSON text that is decoded, in memory that its decoders share.
///
/// The text is valid JSON: `JSONValueDecoder` checks it before anything is decoded.
struct JSONInput {
    /// In bytes: positions in the text and its trailer are kept as 32 bits.
    static let maximumLength = Int(UInt32.max) - 17

    private let buffer = Buffer<UInt8>()

    /// The bytes after the text: a null that stands for a missing value, and zeros, so that eight
    /// bytes can be read at each position of the text.
    private static let trailer = Array(" null".utf8) + [UInt8](repeating: 0, count: 8)

    /// Makes `json` the text.
    func replace(with json: UnsafeBufferPointer<UInt8>) {
        buffer.removeAll()
        buffer.append(json)
        Self.trailer.withUnsafeBufferPointer { buffer.append($0) }
    }

    var text: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: buffer.base, count: max(0, buffer.count - Self.trailer.count))
    }

    /// The text and its trailer.
    var bytes: UnsafeBufferPointer<UInt8> { buffer.elements }
    var base: UnsafePointer<UInt8> { UnsafePointer(buffer.base) }

    /// Where the null in the trailer is.
    var positionOfNull: Int { text.count + 1 }
}
