/// The checksum of zlib and PNG: CRC-32 with the reflected polynomial EDB88320.
///
/// It takes 16 bytes at a time, after M. Kounavis and F. Berry, "Novel Table Lookup-Based
/// Algorithms for High-Performance CRC Generation" (2008), because it also runs over whole indexes
/// of many megabytes, and over all files of an archive.
package struct CRC32: Sendable {
    private var state: UInt32 = ~0

    /// Table `k` maps a byte that is followed by `k` others to its effect on the checksum.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = []
        for byte in 0..<UInt32(256) {
            var value = byte
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
            tables.append(value)
        }
        for index in 256..<16 * 256 {
            let previous = tables[index - 256]
            tables.append(previous >> 8 ^ tables[Int(previous & 0xFF)])
        }
        return tables
    }()

    var checksum: UInt32 { ~state }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        Self.tables.withUnsafeBufferPointer { tables in
            var position = 0
            while position + 16 <= bytes.count {
                var next: UInt32 = 0
                for word in 0..<4 {
                    var value = bytes.word(at: position + 4 * word)
                    if word == 0 { value ^= state }
                    for byte in 0..<4 {
                        let table = 15 - 4 * word - byte
                        next ^= tables[table * 256 + Int(value >> UInt32(8 * byte) & 0xFF)]
                    }
                }
                state = next
                position += 16
            }
            for byte in bytes[position...] {
                state = state >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: state) ^ byte)]
            }
        }
    }

    static func checksum(of bytes: [UInt8]) -> UInt32 { checksum(of: bytes[...]) }

    /// The checksum of `bytes`, with `rest` behind them.
    package static func checksum(of bytes: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8> = [])
        -> UInt32
    {
        var crc = Self()
        bytes.withUnsafeBytes { crc.update($0) }
        rest.withUnsafeBytes { crc.update($0) }
        return crc.checksum
    }
}

extension UnsafeRawBufferPointer {
    /// Four bytes as a little-endian number.
    fileprivate func word(at position: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: position, as: UInt32.self))
    }
}
