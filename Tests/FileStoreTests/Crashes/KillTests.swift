import FileStore
import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    struct KillTests {
        /// Starts a writer, kills it after `delay` seconds, and returns the last version that it
        /// reported as saved.
        private func killWriter(of root: URL, after delay: Double) throws -> Int {
            let began = DispatchSemaphore(value: 0)
            let writer = try TestProcess("save-files", [root.path]) { _ in began.signal() }
            began.wait()
            Thread.sleep(forTimeInterval: delay)
            writer.end()
            return try #require(writer.last)
        }

        @Test func killedSaveLeavesAWholeVersion() async throws {
            let temporary = try TemporaryFolder()
            let root = temporary.url.appending(path: "store", directoryHint: .isDirectory)
            let store = DiskFileStore(at: root)
            var random = SeededGenerator()
            let seed = "\(random)"
            for _ in 0..<TestSize.choose(sample: 4, gate: 60, full: 600) {
                let delay = Double.random(in: 0...0.02, using: &random)
                let saved = try killWriter(of: root, after: delay)
                let data = try await store.load("a/b/versions")
                let number = data.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                #expect(number == saved || number == saved + 1, "\(seed)")
                let filling = Data(
                    repeating: UInt8(truncatingIfNeeded: number), count: 256 << 10)
                #expect(data.dropFirst(8) == filling)
                #expect(try await store.list(in: "a/b").map(\.name) == ["versions"])
            }
        }
    }
#endif
