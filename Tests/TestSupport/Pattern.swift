package import Foundation

extension Data {
    /// `count` bytes, in which no block of 64 KiB equals the one before; quickly, also in debug builds.
    package static func pattern(_ count: Int) -> Data {
        var block = Data(
            (0..<Swift.min(count, 1 << 16)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var bytes = Data(capacity: count + block.count)
        while bytes.count < count {
            bytes += block
            block[0] &+= 1
        }
        return bytes.prefix(count)
    }
}
