/// The checksum of zlib and PNG: CRC-32 with the reflected polynomial EDB88320.
///
/// It takes 16 bytes at a time, after M. Kounavis and F. Berry, "Novel Table Lookup-Based
/// Algorithms for High-Performance CRC Generation" (2008), because it also runs over whole indexes
/// of many megabytes, and over all files of an archive.
struct CRC32: Sendable {
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
                let first = tables.effect(of: bytes.word(at: position) ^ state, before: 12)
                let second = tables.effect(of: bytes.word(at: position + 4), before: 8)
                let third = tables.effect(of: bytes.word(at: position + 8), before: 4)
                let fourth = tables.effect(of: bytes.word(at: position + 12), before: 0)
                state = first ^ second ^ third ^ fourth
                position += 16
            }
            for byte in bytes[position...] {
                state = state >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: state) ^ byte)]
            }
        }
    }

    static func checksum(of bytes: [UInt8]) -> UInt32 { checksum(of: bytes[...]) }

    static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
        var crc = Self()
        bytes.withUnsafeBytes { crc.update($0) }
        return crc.checksum
    }
}

extension UnsafeBufferPointer<UInt32> {
    /// The effect on the checksum of the four bytes of `word`, with `count` others behind them.
    ///
    /// It is written out because a loop is slow in a debug build.
    fileprivate func effect(of word: UInt32, before count: Int) -> UInt32 {
        let last = count * 256
        return self[last + 768 + Int(word & 0xFF)] ^ self[last + 512 + Int(word >> 8 & 0xFF)]
            ^ self[last + 256 + Int(word >> 16 & 0xFF)] ^ self[last + Int(word >> 24)]
    }
}

extension UnsafeRawBufferPointer {
    /// Four bytes as a little-endian number.
    fileprivate func word(at position: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: position, as: UInt32.self))
    }
}
