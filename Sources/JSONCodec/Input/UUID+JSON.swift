import Foundation

extension UUID {
    /// The UUID that begins at `position` in quotes and in its usual spelling; nil if there is no such
    /// UUID.
    init?(json: UnsafeBufferPointer<UInt8>, at position: Int) {
        guard json.count - position >= 38, json[position] == UInt8(ascii: "\""),
            json[position + 9] == UInt8(ascii: "-"), json[position + 14] == UInt8(ascii: "-"),
            json[position + 19] == UInt8(ascii: "-"), json[position + 24] == UInt8(ascii: "-"),
            json[position + 37] == UInt8(ascii: "\"")
        else { return nil }
        let raw = UnsafeRawBufferPointer(json)
        func word(_ first: Int, _ second: Int) -> UInt64 {
            let low = raw.loadUnaligned(fromByteOffset: position + first, as: UInt32.self)
            let high = raw.loadUnaligned(fromByteOffset: position + second, as: UInt32.self)
            return UInt64(UInt32(littleEndian: low)) | UInt64(UInt32(littleEndian: high)) << 32
        }
        guard let first = word(1, 5).hexadecimalDigits, let second = word(10, 15).hexadecimalDigits,
            let third = word(20, 25).hexadecimalDigits, let last = word(29, 33).hexadecimalDigits
        else { return nil }
        let bytes = (
            first.littleEndian, second.littleEndian, third.littleEndian, last.littleEndian
        )
        self.init(uuid: unsafeBitCast(bytes, to: uuid_t.self))
    }
}

extension UInt64 {
    /// Decodes eight ASCII characters to four bytes, both from the lowest byte on; nil if a
    /// character is not a hexadecimal digit.
    fileprivate var hexadecimalDigits: UInt32? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let isLetter = self >> 6 & ones
        let low = self & (ones &* 0x0F)
        let letters = isLetter << 4
        // 0x30 to 0x3F or, in either case, 0x40 to 0x4F; then up to 9, or from 1 to 6.
        let wrong =
            (self & (ones &* 0xD0)) ^ (ones &* 0x10 &+ isLetter &* 0x30)
            | (low &+ ones &* 6) & (ones &* 0x10) & ~letters
            | (low &+ ones &* 9 | ~(low &+ ones &* 0x0F)) & letters
        guard wrong == 0 else { return nil }
        let digits = low &+ isLetter &* 9
        let pairs = (digits << 4 | digits >> 8) & 0x00FF_00FF_00FF_00FF
        let halves = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: halves | halves >> 16)
    }
}
