import Foundation

/// Compares two JSON texts token by token: only strings, numbers and literals may differ.
struct JSONShape {
    private var left: JSONScanner
    private var right: JSONScanner

    /// Whether both texts have the same members, spelled and ordered alike, and arrays of the same
    /// lengths, at every level.
    static func isSame(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>)
        throws -> Bool
    {
        var shape = JSONShape(left: JSONScanner(left), right: JSONScanner(right))
        return try shape.skipSameValue()
    }

    private mutating func skipSameValue() throws -> Bool {
        skipSpace()
        if take("{") { return try skipSameList(endingWith: "}") { try $0.skipSameName() } }
        if take("[") { return try skipSameList(endingWith: "]") { _ in true } }
        guard !isAtContainer(left), !isAtContainer(right) else { return false }
        try left.skipValue(depth: 0)
        try right.skipValue(depth: 0)
        return true
    }

    /// Skips members or elements; `skipName` skips what comes before each value.
    private mutating func skipSameList(
        endingWith end: Unicode.Scalar, _ skipName: (inout Self) throws -> Bool
    ) throws -> Bool {
        skipSpace()
        if take(end) { return true }
        let byte = UInt8(ascii: end)
        guard left.peek != byte, right.peek != byte else { return false }
        repeat {
            guard try skipName(&self), try skipSameValue() else { return false }
            skipSpace()
        } while take(",")
        return take(end)
    }

    private mutating func skipSameName() throws -> Bool {
        skipSpace()
        let (start, other) = (left.position, right.position)
        guard left.peek == UInt8(ascii: "\""), right.peek == UInt8(ascii: "\"") else {
            return false
        }
        try left.skipName()
        try right.skipName()
        let name = left.bytes[start..<left.endOfString]
        let otherName = right.bytes[other..<right.endOfString]
        return JSONValue(bytes: UnsafeBufferPointer(rebasing: name))
            == JSONValue(bytes: UnsafeBufferPointer(rebasing: otherName))
    }

    private mutating func skipSpace() {
        left.skipSpace()
        right.skipSpace()
    }

    /// Skips `character` if it is next in both texts.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        let byte = UInt8(ascii: character)
        guard left.peek == byte, right.peek == byte else { return false }
        left.position += 1
        right.position += 1
        return true
    }

    private func isAtContainer(_ scanner: JSONScanner) -> Bool {
        scanner.peek == UInt8(ascii: "{") || scanner.peek == UInt8(ascii: "[")
    }
}
