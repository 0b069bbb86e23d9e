/// The hash function SHA-256 (FIPS 180-4), because not every system has one that needs no package.
package struct SHA256: Sendable {
    /// The 32 bytes of a hash.
    package struct Digest: Hashable, Sendable, CustomStringConvertible {
        package let words: SIMD8<UInt32>

        package init(words: SIMD8<UInt32>) { self.words = words }

        /// The digest with these 64 hexadecimal digits in lower case; nil if `text` is something else.
        package init?(_ text: some StringProtocol) {
            let digits = Array(text.utf8)
            guard digits.count == 64 else { return nil }
            var words = SIMD8<UInt32>()
            for index in 0..<8 {
                guard let word = UInt64(hexadecimal: digits[8 * index..<8 * index + 8]) else {
                    return nil
                }
                words[index] = UInt32(word)
            }
            self.words = words
        }

        /// 64 hexadecimal digits in lower case.
        package var description: String {
            (0..<8).map { UInt64(words[$0]).hexadecimal(count: 8) }.joined()
        }
    }

    private var state = SIMD8<UInt32>(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
        0x5be0_cd19)
    /// The bytes that do not fill a block yet.
    private var rest: [UInt8] = []
    /// In bytes.
    private var length: UInt64 = 0
    private var schedule = [UInt32](repeating: 0, count: 64)

    package init() {}

    /// The hash of `bytes`.
    package static func hash(_ bytes: some Collection<UInt8>) -> Digest {
        var hash = SHA256()
        let isDone: Void? = bytes.withContiguousStorageIfAvailable {
            hash.update(UnsafeRawBufferPointer($0))
        }
        if isDone == nil { Array(bytes).withUnsafeBytes { hash.update($0) } }
        return hash.finish()
    }

    /// Adds `bytes` to the bytes that are hashed.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var position = 0
        if !rest.isEmpty {
            position = min(64 - rest.count, bytes.count)
            rest += bytes[..<position]
            guard rest.count == 64 else { return }
            let block = rest
            block.withUnsafeBytes { compress($0) }
            rest.removeAll(keepingCapacity: true)
        }
        while position + 64 <= bytes.count {
            compress(UnsafeRawBufferPointer(rebasing: bytes[position..<position + 64]))
            position += 64
        }
        rest += bytes[position...]
    }

    /// The hash of all that was added.
    package consuming func finish() -> Digest {
        let bits = length &* 8
        var end: [UInt8] = [0x80]
        let used = (rest.count + 1) % 64
        end += [UInt8](repeating: 0, count: used <= 56 ? 56 - used : 120 - used)
        for shift in stride(from: 56, through: 0, by: -8) {
            end.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
        }
        end.withUnsafeBytes { update($0) }
        return Digest(words: state)
    }
}

extension SHA256 {
    private mutating func compress(_ block: UnsafeRawBufferPointer) {
        var state = state
        schedule.withUnsafeMutableBufferPointer { words in
            for index in 0..<16 {
                words[index] = UInt32(
                    bigEndian: block.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
            }
            for index in 16..<64 {
                let (two, fifteen) = (words[index - 2], words[index - 15])
                let high = two.rotated(17) ^ two.rotated(19) ^ two >> 10
                let low = fifteen.rotated(7) ^ fifteen.rotated(18) ^ fifteen >> 3
                words[index] = high &+ words[index - 7] &+ low &+ words[index - 16]
            }
            Self.constants.withUnsafeBufferPointer { Self.mix(&state, words, $0) }
        }
        self.state &+= state
    }

    @inline(__always)
    private static func mix(
        _ state: inout SIMD8<UInt32>, _ words: UnsafeMutableBufferPointer<UInt32>,
        _ constants: UnsafeBufferPointer<UInt32>
    ) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let choice = g ^ (e & (f ^ g))
            let first =
                h &+ (e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)) &+ choice
                &+ constants[index] &+ words[index]
            let majority = (a & b) | (c & (a | b))
            let second = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ majority
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        state = SIMD8(a, b, c, d, e, f, g, h)
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
        0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
        0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
        0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
        0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]
}

extension UInt32 {
    @inline(__always)
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
