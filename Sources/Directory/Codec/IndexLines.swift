import Foundation

/// The lines of an index that has one element a line, cut into pieces of about the same size.
///
/// A newline is never part of a token of JSON. So if each line but the last is one value and a
/// comma, and the last is one value, then the index is an array of these values, and its lines
/// can be read on all cores without a look at the others.
struct IndexLines {
    private(set) var pieces: [Range<Int>] = []

    private static let pieceLength = 1 << 16

    /// Nil if `bytes` do not begin and end as an array does.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var scanner = JSONScanner(bytes)
        guard (try? scanner.beginArray()) != nil else { return nil }
        guard let bracket = bytes.lastIndex(where: { !$0.isJSONSpace }),
            bytes[bracket] == UInt8(ascii: "]"), scanner.position < bracket,
            let last = bytes[..<bracket].lastIndex(where: { !$0.isJSONSpace })
        else { return nil }
        var start = scanner.position
        while start <= last {
            let end = Self.endOfLine(in: bytes, from: start + Self.pieceLength, to: last + 1)
            pieces.append(start..<end)
            start = end
        }
    }

    /// Calls `body` with where each element in `piece` stands, and its JSON; false if a line that others follow
    /// does not end with a comma.
    static func forEachElement(
        in piece: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>, isLast: Bool,
        _ body: (Range<Int>, UnsafeBufferPointer<UInt8>) throws -> Void
    ) rethrows -> Bool {
        var start = piece.lowerBound
        while start < piece.upperBound {
            let next = endOfLine(in: bytes, from: start, to: piece.upperBound)
            var end = next
            while end > start && bytes[end - 1].isJSONSpace { end -= 1 }
            while start < end && bytes[start].isJSONSpace { start += 1 }
            if start < end {
                // Only the very last line has no comma; if it had one, it would be no value.
                if !isLast || next < piece.upperBound {
                    end -= 1
                    guard bytes[end] == UInt8(ascii: ",") else { return false }
                    while end > start && bytes[end - 1].isJSONSpace { end -= 1 }
                }
                let json = UnsafeBufferPointer(rebasing: bytes[start..<end])
                try body(start..<end, json)
            }
            start = next
        }
        return true
    }

    /// Where the line after the one at `start` begins, at most `end`.
    private static func endOfLine(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
    ) -> Int {
        guard let base = bytes.baseAddress, start < end,
            let newline = memchr(base + start, 0x0A, end - start)
        else { return end }
        return UnsafeRawPointer(newline) - UnsafeRawPointer(base) + 1
    }
}
