import FileStore
import Foundation
import TestSupport
import Testing

/// Files whose dates 64 bits of nanoseconds cannot hold.
struct DistantDateTests {
    @Test(arguments: distantTimes)
    func fileHasTheDateOfTheVolume(_ seconds: Int) async throws {
        let temporary = try TemporaryFolder()
        let store = DiskFileStore(at: temporary.url)
        try await store.save("x", to: "a/b")
        var kept: [String: Date] = [:]
        for path in ["a/b", "a"] {
            let url = temporary.url.appending(path: path)
            let time = try setModificationTime(of: url, toSeconds: seconds)
            kept[path] = Date(timeIntervalSince1970: Double(time))
        }
        #expect(try store.info(for: "a/b").modifiedAt == kept["a/b"])
        let listed = try await store.list(recursive: true)
        #expect(listed.map(\.relativePath) == ["a", "a/b"])
        #expect(listed.map(\.modifiedAt) == [kept["a"], kept["a/b"]])
        try await store.save("y", to: "a/c")
        #expect(try await store.text("a/c") == "y")
    }
}
