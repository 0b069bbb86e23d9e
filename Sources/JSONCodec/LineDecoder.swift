package import Foundation

/// Decodes values from lines of JSON, one after the other.
package struct LineDecoder {
    /// The decoder of the options, nil for our own.
    private let custom: JSONDecoder?
    private var decoder = JSONValueDecoder()

    package init(_ custom: JSONDecoder?) {
        self.custom = custom
    }

    /// Decodes the item that `json` holds.
    ///
    /// - Throws: A syntax error if `json` is not valid JSON, before anything is decoded; a
    ///   `DecodingError`, or what `Item` throws.
    package mutating func decode<Item: Decodable>(
        _ type: Item.Type, from json: UnsafeBufferPointer<UInt8>
    )
        throws -> Item
    {
        if let custom {
            try JSONScanner.check(json, depth: 1)
            return try custom.decode(type, from: Data(json))
        }
        // A type may have kept the decoder; it keeps its text then.
        if decoder.isShared || !isKnownUniquelyReferenced(&decoder) {
            decoder = JSONValueDecoder()
        }
        return try decoder.decode(type, from: json)
    }

    /// Decodes the value that `json` holds, and throws what Foundation would if it is not valid.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from json: [UInt8], with custom: JSONDecoder? = nil
    ) throws -> Value {
        var decoder = LineDecoder(custom)
        do {
            return try json.withUnsafeBufferPointer { json in
                var scanner = JSONScanner(json)
                scanner.skipByteOrderMark()
                let rest = UnsafeBufferPointer(rebasing: json[scanner.position...])
                return try decoder.decode(type, from: rest)
            }
        } catch let error as JSONScanner.SyntaxError {
            throw DecodingError.invalid("\(error.reason), at byte \(error.offset)")
        }
    }
}
