import FileSystem

/// An element of an index whose type is unknown: only its line.
///
/// Recovery moves such items from one index to another. Two are the same if their JSON differs only
/// in the white space between its tokens, which editors change.
struct UntypedItem: Codable, Identifiable, Sendable {
    /// The line without the white space between its tokens.
    let id: [UInt8]

    init(line: ArraySlice<UInt8>) {
        var isInString = false
        var isEscaped = false
        id = line.filter { byte in
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if isInString, byte == UInt8(ascii: "\\") {
                isEscaped = true
            }
            return isInString || !" \t\r\n".utf8.contains(byte)
        }
    }

    /// Always throws: an item is made of its line, and a decoder does not have the bytes.
    init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "the line is needed"))
    }

    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            id, .init(codingPath: encoder.codingPath, debugDescription: "the line is needed"))
    }
}
