package import Foundation

/// Encodes values, each as a line of JSON.
package struct LineEncoder {
    /// Encodes in place of `encoder`, unless it is nil.
    private let custom: JSONEncoder?
    private var encoder = JSONValueEncoder()
    private let buffer = ByteBuffer()
    private var ends: [Int] = []

    /// Creates an encoder that encodes with `custom`, or like `JSONEncoder()` if it is nil; then
    /// members keep their order, and slashes are not escaped.
    package init(_ custom: JSONEncoder? = nil) {
        self.custom = custom
    }

    /// Encodes `value` as the next line.
    package mutating func append(_ value: some Encodable) throws {
        if let custom {
            let json = try custom.encode(value)
            let isOneLine = !json.contains(UInt8(ascii: "\n"))
            (isOneLine ? Array(json) : json.withoutSpaceBetweenTokens()).withUnsafeBufferPointer {
                buffer.append($0)
            }
        } else {
            // A type may have kept the encoder.
            if !isKnownUniquelyReferenced(&encoder) { encoder = JSONValueEncoder() }
            try encoder.encode(value, to: buffer)
        }
        ends.append(buffer.count)
    }

    /// The lines of the values so far, which share their memory.
    package var lines: [ArraySlice<UInt8>] {
        let bytes = Array(buffer.elements)
        return zip([0] + ends, ends).map { bytes[$0..<$1] }
    }
}
