import Foundation

/// Writes PNG files (ISO/IEC 15948), without compression.
enum PNG {
    /// The file of a picture whose rows, from the top, have three bytes a pixel: red, green and blue.
    ///
    /// - Parameter rows: The rows, of at most 21,844 pixels.
    /// - Returns: The bytes of the file.
    static func encode(rows: [[UInt8]]) -> Data {
        let width = (rows.first?.count ?? 0) / 3
        let header = bigEndian(UInt32(width)) + bigEndian(UInt32(rows.count)) + [8, 2, 0, 0, 0]
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let chunks = chunk("IHDR", header) + chunk("IDAT", zlib(rows)) + chunk("IEND", [])
        return Data(signature + chunks)
    }

    private static func chunk(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + bytes
        let crc = body.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in
                crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0)
            }
        }
        return bigEndian(UInt32(bytes.count)) + body + bigEndian(~crc)
    }

    /// The rows as a zlib stream (RFC 1950) with a stored block (RFC 1951) for each.
    private static func zlib(_ rows: [[UInt8]]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var (a, b): (UInt32, UInt32) = (1, 0)
        for (number, row) in rows.enumerated() {
            // Each row begins with its filter: 0 for none.
            let block = [0] + row
            let count = UInt16(block.count)
            stream.append(number == rows.count - 1 ? 1 : 0)
            for size in [count, ~count] {
                stream += [UInt8(truncatingIfNeeded: size), UInt8(size >> 8)]
            }
            stream += block
            for byte in block {
                a = (a + UInt32(byte)) % 65521
                b = (b + a) % 65521
            }
        }
        return stream + bigEndian(b << 16 | a)
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
