import FileStore
import TestSupport
import Testing

struct HashedFilenameTests {
    let store = InMemoryFileStore()

    /// NIST's examples for FIPS 180-4, and the lengths at which the padding changes.
    @Test(
        arguments: Sweep.cases(
            [
                ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
                ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
                (
                    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
                ),
                (
                    String(repeating: "a", count: 1_000_000),
                    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
                ),
                (
                    String(repeating: "a", count: 55),
                    "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"
                ),
                (
                    String(repeating: "a", count: 56),
                    "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"
                ),
                (
                    String(repeating: "a", count: 64),
                    "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
                ),
            ], sample: 3))
    func nameIsTheSHA256OfTheText(_ text: String, _ hash: String) {
        #expect(store.hashedFilename(for: text, extension: "jpg") == hash + ".jpg")
    }

    @Test func emptyExtensionHasNoDot() {
        #expect(store.hashedFilename(for: "a", extension: "").utf8.count == 64)
    }

    @Test func nameIsAValidPath() async throws {
        let name = store.hashedFilename(for: "https://example.com/../a?b#c", extension: "jpg")
        try await store.save("x", to: "thumbnails/\(name)")
        #expect(store.exists("thumbnails/\(name)"))
    }
}
