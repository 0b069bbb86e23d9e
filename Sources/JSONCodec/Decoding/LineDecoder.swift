package import Foundation

/// Decodes values, each from a line of JSON of its own.
package struct LineDecoder {
    /// Decodes in place of `decoder`, unless it is nil.
    private let custom: JSONDecoder?
    private var decoder = JSONValueDecoder()

    /// Creates a decoder that decodes with `custom`, or like `JSONDecoder()` if it is nil.
    package init(_ custom: JSONDecoder?) {
        self.custom = custom
    }

    /// Decodes the one value that `json` holds.
    ///
    /// - Throws: A syntax error if `json` is not valid JSON of at most 63 levels, before anything
    ///   is decoded; a `DecodingError`; an error of `Value`.
    package mutating func decode<Value: Decodable>(
        _ type: Value.Type, from json: UnsafeBufferPointer<UInt8>
    ) throws -> Value {
        if let custom {
            _ = try JSONScanner.element(of: json)
            return try custom.decode(type, from: Data(json))
        }
        // A type that has kept the decoder may still read its text.
        if decoder.isShared || !isKnownUniquelyReferenced(&decoder) {
            decoder = JSONValueDecoder()
        }
        return try decoder.decode(type, from: json)
    }

    /// Decodes the one value that `json` holds.
    ///
    /// - Throws: A `DecodingError`, as Foundation does also for invalid JSON; an error of `Value`.
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
