import FileSystem
import Testing

/// The vectors are those of FIPS 180-4 and of NIST's Cryptographic Algorithm Validation Program.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func knownVectors(text: String, digest: String) {
        #expect(SHA256.hash(Array(text.utf8)).description == digest)
        #expect(SHA256.Digest(digest)?.description == digest)
    }

    @Test func aMillionLetters() {
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(
            SHA256.hash(bytes).description
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func piecesOfAnyLengthGiveTheSame() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for step in 1...130 {
            var hash = SHA256()
            for start in stride(from: 0, to: bytes.count, by: step) {
                bytes[start..<min(start + step, bytes.count)].withUnsafeBytes { hash.update($0) }
            }
            #expect(hash.finish() == SHA256.hash(bytes))
        }
    }

    @Test func aDigestHas64DigitsInLowerCase() {
        #expect(SHA256.Digest(String(repeating: "A", count: 64)) == nil)
        #expect(SHA256.Digest(String(repeating: "a", count: 63)) == nil)
    }
}
