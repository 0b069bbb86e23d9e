import Foundation

/// Compares the structure of two JSON texts.
///
/// An update usually changes one value. The text before that value is scanned once, the text after it
/// not at all.
struct JSONShape {
    private var left: JSONScanner
    private var right: JSONScanner
    /// The number of bytes that are equal from the beginning.
    private let prefix: Int
    /// The number of bytes that are equal up to the end.
    private let suffix: Int
    /// Whether both texts are equal from here on.
    private var isRestEqual = false
    /// The number of arrays around the next value.
    private var arrays = 0
    /// Whether the texts differ in more than the values of members: in white space, in the spelling of a value, or in
    /// several elements of arrays, which may only have another order.
    private var hasOtherDifferences = false

    private init(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) {
        let shorter = min(left.count, right.count)
        var (prefix, suffix) = (0, 0)
        while prefix < shorter, left[prefix] == right[prefix] { prefix += 1 }
        while suffix < shorter,
            left[left.count - 1 - suffix] == right[right.count - 1 - suffix]
        {
            suffix += 1
        }
        (self.prefix, self.suffix) = (prefix, suffix)
        (self.left, self.right) = (JSONScanner(left), JSONScanner(right))
    }

    /// Whether both texts have the same members, spelled and ordered alike, and arrays of the same
    /// lengths, at every level.
    ///
    /// Only strings, numbers, literals and white space may differ.
    static func isSame(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>)
        throws -> Bool
    {
        var shape = JSONShape(left, right)
        return try shape.skipSameValue()
    }

    /// Whether both texts are the same but for the values of some members, or for one value.
    ///
    /// The values are not the same in another spelling.
    static func isSameButForValues(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) throws -> Bool {
        var shape = JSONShape(left, right)
        return try shape.skipSameValue() && !shape.hasOtherDifferences
    }

    private mutating func skipSameValue() throws -> Bool {
        skipSpace()
        if take("{") { return try skipSameList(endingWith: "}") { try $0.skipSameName() } }
        if take("[") {
            arrays += 1
            defer { arrays -= 1 }
            return try skipSameList(endingWith: "]") { _ in true }
        }
        guard !isAtContainer(left), !isAtContainer(right) else { return false }
        let (start, other) = (left.position, right.position)
        try left.skipValue(depth: 0)
        if isInPrefix {
            right.position = left.position
        } else {
            try right.skipValue(depth: 0)
            let rest = left.bytes.count - left.position
            isRestEqual = rest <= suffix && right.bytes.count - right.position == rest
            compareValues(from: start, other)
        }
        return true
    }

    private mutating func compareValues(from start: Int, _ other: Int) {
        let one = JSONValue(bytes: .init(rebasing: left.bytes[start..<left.position]))
        let two = JSONValue(bytes: .init(rebasing: right.bytes[other..<right.position]))
        guard !(one == two) else { return }
        if arrays > 0 && !isRestEqual || one.isSpelledDifferently(from: two) {
            hasOtherDifferences = true
        }
    }

    /// Skips members or elements; `skipName` skips the name before each value.
    private mutating func skipSameList(
        endingWith end: Unicode.Scalar, _ skipName: (inout Self) throws -> Bool
    ) throws -> Bool {
        skipSpace()
        if take(end) { return true }
        let byte = UInt8(ascii: end)
        guard left.peek != byte, right.peek != byte else { return false }
        repeat {
            guard try skipName(&self), try skipSameValue() else { return false }
            if isRestEqual { return true }
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
        if isInPrefix {
            right.position = left.position
            return true
        }
        try right.skipName()
        let name = left.bytes[start..<left.endOfString]
        let otherName = right.bytes[other..<right.endOfString]
        return JSONValue(bytes: UnsafeBufferPointer(rebasing: name))
            == JSONValue(bytes: UnsafeBufferPointer(rebasing: otherName))
    }

    /// Whether the token before the scanner of `left` is in the prefix, so that both texts have it.
    private var isInPrefix: Bool {
        left.position < prefix
    }

    private mutating func skipSpace() {
        let (start, other) = (left.position, right.position)
        left.skipSpace()
        right.skipSpace()
        if left.position > start && left.position > prefix
            || right.position > other && right.position > prefix
        {
            hasOtherDifferences = true
        }
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
