import Foundation

/// A JSON array with one element in each line, divided into chunks of about the same size.
///
/// No token of JSON contains a newline. So if the last line is one value, and every other line is
/// one value and a comma, the array consists of these values. Each chunk can then be decoded
/// without the others, on all cores.
package struct JSONArrayLines: Sendable {
    /// The byte ranges of the chunks, each of them whole lines, in order.
    package private(set) var chunks: [Range<Int>] = []

    private static let chunkLength = 1 << 16

    /// Finds the chunks; nil if `bytes` do not begin and end like an array.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var scanner = JSONScanner(bytes)
        guard (try? scanner.beginArray()) != nil else { return nil }
        guard let bracket = bytes.lastIndex(where: { !$0.isJSONSpace }),
            bytes[bracket] == UInt8(ascii: "]"), scanner.position < bracket,
            let last = bytes[..<bracket].lastIndex(where: { !$0.isJSONSpace })
        else { return nil }
        var start = scanner.position
        while start <= last {
            let end = Self.startOfNextLine(in: bytes, from: start + Self.chunkLength, to: last + 1)
            chunks.append(start..<end)
            start = end
        }
    }

    /// The byte ranges of the elements of one chunk.
    package struct Elements: IteratorProtocol {
        private let bytes: UnsafeBufferPointer<UInt8>
        private var start: Int
        private let end: Int
        private let isLast: Bool
        /// Whether each line so far ended with a comma, apart from the last line of the array.
        package private(set) var areSeparated = true

        package init(_ chunk: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) {
            self.bytes = bytes
            (start, end) = (chunk.lowerBound, chunk.upperBound)
            self.isLast = isLast
        }

        package mutating func next() -> Range<Int>? {
            while start < end, areSeparated {
                let next = JSONArrayLines.startOfNextLine(in: bytes, from: start, to: end)
                defer { start = next }
                guard var line = trimmed(start..<next) else { continue }
                // The last line of the array has no comma; a comma would make it an invalid value.
                if !isLast || next < end {
                    areSeparated = bytes[line.upperBound - 1] == UInt8(ascii: ",")
                    guard areSeparated else { return nil }
                    let value = line.dropLast()
                    line = trimmed(value) ?? value
                }
                return line
            }
            return nil
        }

        /// `range` without the white space at both ends; nil if nothing is left.
        private func trimmed(_ range: Range<Int>) -> Range<Int>? {
            var (start, end) = (range.lowerBound, range.upperBound)
            while end > start && bytes[end - 1].isJSONSpace { end -= 1 }
            while start < end && bytes[start].isJSONSpace { start += 1 }
            return start < end ? start..<end : nil
        }
    }

    /// Where the line after `start` begins, at most `end`.
    fileprivate static func startOfNextLine(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
    ) -> Int {
        guard let base = bytes.baseAddress, start < end,
            let newline = memchr(base + start, 0x0A, end - start)
        else { return end }
        return UnsafeRawPointer(newline) - UnsafeRawPointer(base) + 1
    }
}
