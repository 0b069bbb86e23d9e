/// The last line of what is written in one piece: the CRC-32 of all bytes before it, in eight hexadecimal digits.
///
/// The header and the records of a journal end with it, and so do intents, the records of joint writes, manifests, and
/// the records that a replica keeps. So what a power loss cut off is told from what is whole.
package enum ChecksumLine {
    /// In bytes, with its newline.
    package static let length = 9

    /// Adds the line to `bytes`, and returns the checksum.
    @discardableResult
    package static func append(to bytes: inout [UInt8]) -> UInt32 {
        let checksum = CRC32.checksum(of: bytes)
        append(checksum, to: &bytes)
        return checksum
    }

    /// The bytes of the line with `checksum`.
    static func bytes(_ checksum: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        append(checksum, to: &bytes)
        return bytes
    }

    /// The checksum that `bytes` end with; nil if it is not that of the bytes before it.
    package static func checksum(endOf bytes: ArraySlice<UInt8>) -> UInt32? {
        let line = bytes.suffix(length)
        guard line.last == UInt8(ascii: "\n"),
            let checksum = UInt32(hexadecimal: line.dropLast()),
            checksum == CRC32.checksum(of: bytes.dropLast(length))
        else { return nil }
        return checksum
    }

    private static func append(_ checksum: UInt32, to bytes: inout [UInt8]) {
        bytes.append(hexadecimal: checksum)
        bytes.append(UInt8(ascii: "\n"))
    }
}
