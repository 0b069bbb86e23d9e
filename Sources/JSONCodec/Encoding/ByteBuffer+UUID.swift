import Foundation

extension ByteBuffer {
    /// Appends a UUID in quotes, spelled as in `uuidString`.
    func append(_ uuid: UUID) {
        reserve(38)
        var next = base + count
        func write(_ byte: UInt8) {
            next.initialize(to: byte)
            next += 1
        }
        func write(hexadecimal digit: UInt8) {
            write(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") - 10 + digit)
        }
        write(UInt8(ascii: "\""))
        withUnsafeBytes(of: uuid.uuid) { bytes in
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    write(UInt8(ascii: "-"))
                }
                write(hexadecimal: bytes[index] >> 4)
                write(hexadecimal: bytes[index] & 15)
            }
        }
        write(UInt8(ascii: "\""))
        advance(38)
    }
}
