import FileSystem

/// An element of an index whose type is not known here: only its line.
///
/// Recovery takes such items from one index to another. They are compared byte for byte.
struct UntypedItem: Codable, Identifiable, Sendable {
    let line: ArraySlice<UInt8>

    var id: ArraySlice<UInt8> { line }

    init(line: ArraySlice<UInt8>) { self.line = line }

    /// An item is made of its line, because the decoder has lost the bytes.
    init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "the line is needed"))
    }

    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            line, .init(codingPath: encoder.codingPath, debugDescription: "the line is needed"))
    }
}
