import FileStore
import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    @Suite struct KillTests {
        /// The executable beside the one that runs the tests.
        private var writer: URL {
            let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
            let products = tests?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
            return products.appending(path: "file-store-writer")
        }

        /// Starts a writer, kills it after `delay` seconds, and returns the last version that it
        /// reported as saved.
        private func killWriter(of root: URL, after delay: Double) throws -> UInt64 {
            let (process, output) = (Process(), Pipe())
            process.executableURL = writer
            process.arguments = [root.path]
            process.standardOutput = output
            try process.run()
            var said = output.fileHandleForReading.availableData
            Thread.sleep(forTimeInterval: delay)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            said += output.fileHandleForReading.readDataToEndOfFile()
            let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
            return try #require(lines.last.flatMap { UInt64($0) })
        }

        @Test func killedSaveLeavesAWholeVersion() async throws {
            let temporary = try TemporaryFolder()
            let root = temporary.url.appending(path: "store", directoryHint: .isDirectory)
            let store = DiskFileStore(at: root)
            var random = SeededGenerator()
            let seed = "\(random)"
            for _ in 0..<30 {
                let delay = Double.random(in: 0...0.02, using: &random)
                let saved = try killWriter(of: root, after: delay)
                let data = try await store.load("a/b/versions")
                let number = data.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                #expect(number == saved || number == saved + 1, "\(seed)")
                let filling = Data(
                    repeating: UInt8(truncatingIfNeeded: number), count: 256 << 10)
                #expect(data.dropFirst(8) == filling)
                #expect(try await store.list(in: "a/b").map(\.name) == ["versions"])
            }
        }
    }
#endif
