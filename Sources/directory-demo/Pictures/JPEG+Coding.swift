import Foundation

/// The bits of a scan of a JPEG file, in which a zero follows each byte 255.
struct BitReader {
    private let bytes: [UInt8]
    private var position: Int
    private var bits: UInt32 = 0
    private var count = 0
    /// Whether bits were asked for after the end.
    private(set) var isPastEnd = false

    init(_ bytes: [UInt8], from position: Int) { (self.bytes, self.position) = (bytes, position) }

    /// The next bit; zero after the end.
    mutating func bit() -> Int {
        if count == 0 {
            bits = UInt32(nextByte())
            count = 8
        }
        count -= 1
        return Int(bits >> UInt32(count) & 1)
    }

    private mutating func nextByte() -> UInt8 {
        guard position < bytes.count else {
            isPastEnd = true
            return 0
        }
        let byte = bytes[position]
        guard byte == 0xFF else {
            position += 1
            return byte
        }
        // A marker ends the bits.
        guard position + 1 < bytes.count, bytes[position + 1] == 0 else {
            isPastEnd = true
            return 0
        }
        position += 2
        return byte
    }

    /// A number of `size` bits; those that begin with a zero are negative.
    mutating func signed(_ size: Int) -> Int {
        var value = 0
        for _ in 0..<size { value = value << 1 | bit() }
        return size > 0 && value < 1 << (size - 1) ? value - (1 << size) + 1 : value
    }

    /// Goes on after a restart marker; false if there is none.
    mutating func skipRestartMarker() -> Bool {
        count = 0
        guard position + 1 < bytes.count, bytes[position] == 0xFF,
            (0xD0...0xD7).contains(bytes[position + 1])
        else { return false }
        position += 2
        return true
    }
}

/// A table of codes of a JPEG file.
struct HuffmanTable {
    /// For each length from 1: its first code, how many it has, and where their values begin.
    private let lengths: [(first: Int, count: Int, start: Int)]
    private let values: [UInt8]

    init(counts: [Int], values: [UInt8]) {
        var (code, start) = (0, 0)
        lengths = counts.map { count in
            defer { (code, start) = ((code + count) << 1, start + count) }
            return (code, count, start)
        }
        self.values = values
    }

    /// The value of the next code; nil if no code fits.
    func next(_ bits: inout BitReader) -> UInt8? {
        var code = 0
        for length in lengths {
            code = code << 1 | bits.bit()
            let offset = code - length.first
            if offset >= 0, offset < length.count { return values[length.start + offset] }
        }
        return nil
    }
}

/// The cosine transform of blocks of 8 by 8.
enum DCT {
    /// The position in the block of each value in the order of the file.
    static let zigzag = [
        0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27,
        20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
        58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
    ]

    /// What frequency `u` adds at position `x`, at `8 * x + u`.
    private static let cosines: [Float] = (0..<64).map { index in
        let (x, u) = (index / 8, index % 8)
        let scale = u == 0 ? 0.5 / 2.0.squareRoot() : 0.5
        return Float(scale * cos(Double(2 * x + 1) * Double(u) * .pi / 16))
    }

    /// The samples of a block with these frequencies.
    static func inverse(_ values: [Float]) -> [UInt8] {
        let rows = transform(values)
        return transform(rows).map(sample)
    }

    /// Transforms each row, and swaps rows and columns.
    private static func transform(_ values: [Float]) -> [Float] {
        var result = [Float](repeating: 0, count: 64)
        for row in 0..<8 {
            for x in 0..<8 {
                var sum: Float = 0
                for u in 0..<8 { sum += cosines[8 * x + u] * values[8 * row + u] }
                result[8 * x + row] = sum
            }
        }
        return result
    }

    static func sample(_ value: Float) -> UInt8 { UInt8(max(0, min(255, (value + 128).rounded()))) }
}
