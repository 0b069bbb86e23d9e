package import Foundation

/// Encodes values as lines of JSON, one after the other.
package struct LineEncoder {
    /// The encoder of the options, nil for our own.
    private let custom: JSONEncoder?
    private var encoder = JSONValueEncoder()
    private let buffer = JSONText()
    private var ends: [Int] = []

    package init(_ custom: JSONEncoder? = nil) {
        self.custom = custom
    }

    package mutating func append(_ item: some Encodable) throws {
        if let custom {
            let json = try custom.encode(item)
            let isOneLine = !json.contains(UInt8(ascii: "\n"))
            (isOneLine ? Array(json) : json.withoutSpaceBetweenTokens()).withUnsafeBufferPointer {
                buffer.append($0)
            }
        } else {
            // A type may have kept the encoder.
            if !isKnownUniquelyReferenced(&encoder) { encoder = JSONValueEncoder() }
            try encoder.encode(item, to: buffer)
        }
        ends.append(buffer.count)
    }

    /// The lines of the items so far, which share their memory.
    package var lines: [ArraySlice<UInt8>] {
        let bytes = Array(buffer.elements)
        return zip([0] + ends, ends).map { bytes[$0..<$1] }
    }
}
