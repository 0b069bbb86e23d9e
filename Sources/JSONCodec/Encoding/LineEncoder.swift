package import Foundation

/// Encodes values, each as a line of JSON.
package struct LineEncoder {
    /// Encodes in place of `encoder`, unless it is nil.
    private let custom: JSONEncoder?
    private let dates: DateFormat
    private let userInfo: [CodingUserInfoKey: Any]
    private var encoder: JSONValueEncoder
    private let buffer = ByteBuffer()
    private var ranges: [Range<Int>] = []

    /// Creates an encoder that encodes with `custom`, or like `JSONEncoder()` if it is nil.
    ///
    /// If `custom` is nil, members keep their order, those of dictionaries and the elements of sets have one order,
    /// slashes are not escaped, dates are written as `dates` says, and types are given `userInfo`.
    package init(
        _ custom: JSONEncoder? = nil, dates: DateFormat = .secondsSince2001,
        userInfo: [CodingUserInfoKey: Any] = [:]
    ) {
        self.custom = custom
        (self.dates, self.userInfo) = (dates, userInfo)
        encoder = JSONValueEncoder(dates, userInfo)
    }

    /// The line of `value` alone; the encoder has no lines before and after it.
    ///
    /// - Throws: The errors of ``append(_:)``.
    package mutating func line(of value: some Encodable) throws -> ArraySlice<UInt8> {
        assert(ranges.isEmpty, "lines that were appended before would be lost")
        defer { removeAll() }
        try append(value)
        return Array(buffer.elements)[...]
    }

    private mutating func removeAll() {
        buffer.removeAll()
        ranges.removeAll(keepingCapacity: true)
    }

    /// Encodes `value` as the next line.
    ///
    /// - Throws: An error of `value` or of the encoder; an `EncodingError` or a syntax error if
    ///   ``LineDecoder`` would refuse the line as JSON.
    package mutating func append(_ value: some Encodable) throws {
        if let custom { return try append(json: Array(custom.encode(value))) }
        // A type that has kept the encoder may still write to it.
        if !isKnownUniquelyReferenced(&encoder) {
            encoder = JSONValueEncoder(dates, userInfo)
        }
        let start = buffer.count
        try encoder.encode(value, to: buffer)
        try endLine(from: start)
    }

    /// Appends `json`, which another encoder wrote, as the next line, without the white space around
    /// it; throws a syntax error if it is not one value.
    mutating func append(json: [UInt8]) throws {
        let element = try json.withUnsafeBufferPointer(JSONScanner.element)
        let start = buffer.count
        element.line(of: json).withUnsafeBufferPointer { buffer.append($0) }
        try endLine(from: start)
    }

    private mutating func endLine(from start: Int) throws {
        guard buffer.count - start <= JSONInput.maximumLength else {
            throw JSONScanner.SyntaxError(offset: 0, reason: "it is longer than 4 GB")
        }
        ranges.append(start..<buffer.count)
    }

    /// The lines of the values so far, which share their memory.
    package var lines: [ArraySlice<UInt8>] {
        let bytes = Array(buffer.elements)
        return ranges.map { bytes[$0] }
    }
}
