import Foundation

/// Writes PNG files (ISO/IEC 15948), without compression.
enum PNG {
    /// The file of a picture with 8 bits for each of red, green and blue.
    ///
    /// - Parameters:
    ///   - rows: The rows from the top, three bytes a pixel.
    ///   - width: The number of pixels in a row.
    /// - Returns: The bytes of the file.
    static func encode(rows: [[UInt8]], width: Int) -> Data {
        let header = bigEndian(UInt32(width)) + bigEndian(UInt32(rows.count)) + [8, 2, 0, 0, 0]
        // Each row begins with its filter, which is none.
        let pixels: [UInt8] = rows.reduce(into: []) { $0 += [0] + $1 }
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let file =
            signature + chunk("IHDR", header) + chunk("IDAT", zlib(pixels)) + chunk("IEND", [])
        return Data(file)
    }

    private static func chunk(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + bytes
        return bigEndian(UInt32(bytes.count)) + body + bigEndian(crc32(body))
    }

    /// The bytes as a zlib stream (RFC 1950) of stored blocks (RFC 1951).
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
            let block = bytes[start..<min(start + 0xFFFF, bytes.count)]
            let isLast = block.endIndex == bytes.count
            let count = UInt16(block.count)
            stream.append(isLast ? 1 : 0)
            for number in [count, ~count] {
                stream += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
            }
            stream += block
        }
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return stream + bigEndian(b << 16 | a)
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~crc
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
