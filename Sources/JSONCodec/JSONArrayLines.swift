import Foundation

/// The lines of a JSON array that has one element a line, in chunks of about the same size.
///
/// A newline is never part of a token of JSON. So if each line but the last is one value and a
/// comma, and the last is one value, then the array has these values, and its lines can be read
/// on all cores without a look at the others.
package struct JSONArrayLines: Sendable {
    package private(set) var chunks: [Range<Int>] = []

    private static let chunkLength = 1 << 16

    /// Nil if `bytes` do not begin and end as an array does.
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var scanner = JSONScanner(bytes)
        guard (try? scanner.beginArray()) != nil else { return nil }
        guard let bracket = bytes.lastIndex(where: { !$0.isJSONSpace }),
            bytes[bracket] == UInt8(ascii: "]"), scanner.position < bracket,
            let last = bytes[..<bracket].lastIndex(where: { !$0.isJSONSpace })
        else { return nil }
        var start = scanner.position
        while start <= last {
            let end = Self.endOfLine(in: bytes, from: start + Self.chunkLength, to: last + 1)
            chunks.append(start..<end)
            start = end
        }
    }

    /// The elements of a chunk, as the ranges of their bytes.
    package struct Elements: IteratorProtocol {
        private let bytes: UnsafeBufferPointer<UInt8>
        private var start: Int
        private let end: Int
        private let isLast: Bool
        /// False once a line that others follow did not end with a comma.
        package private(set) var areWhole = true

        package init(_ chunk: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) {
            self.bytes = bytes
            (start, end) = (chunk.lowerBound, chunk.upperBound)
            self.isLast = isLast
        }

        package mutating func next() -> Range<Int>? {
            while start < end, areWhole {
                let next = JSONArrayLines.endOfLine(in: bytes, from: start, to: end)
                defer { start = next }
                guard var line = trimmed(start..<next) else { continue }
                // Only the very last line has no comma; if it had one, it would be no value.
                if !isLast || next < end {
                    areWhole = bytes[line.upperBound - 1] == UInt8(ascii: ",")
                    guard areWhole else { return nil }
                    let value = line.dropLast()
                    line = trimmed(value) ?? value
                }
                return line
            }
            return nil
        }

        /// Without spaces at both ends; nil where there is nothing else.
        private func trimmed(_ range: Range<Int>) -> Range<Int>? {
            var (start, end) = (range.lowerBound, range.upperBound)
            while end > start && bytes[end - 1].isJSONSpace { end -= 1 }
            while start < end && bytes[start].isJSONSpace { start += 1 }
            return start < end ? start..<end : nil
        }
    }

    /// Where the line after the one at `start` begins, at most `end`.
    fileprivate static func endOfLine(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
    ) -> Int {
        guard let base = bytes.baseAddress, start < end,
            let newline = memchr(base + start, 0x0A, end - start)
        else { return end }
        return UnsafeRawPointer(newline) - UnsafeRawPointer(base) + 1
    }
}
