import Foundation
import Testing

#if os(Linux) || os(macOS)
    /// The lock of an index that a test holds, as another process would.
    struct HeldLock {
        private let descriptor: Int32

        init(_ file: URL) throws {
            descriptor = open(file.path, O_RDWR | O_CLOEXEC)
            try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        }

        func release() { close(descriptor) }
    }

    extension DemoProcess {
        /// Returns when the demo says that it waits for another process that changes `index`.
        func expectWait(for index: String) throws {
            var bytes = Data()
            while bytes.last != UInt8(ascii: "\n"),
                let byte = try error.fileHandleForReading.read(upToCount: 1)
            {
                bytes += byte
            }
            let line = String(decoding: bytes, as: UTF8.self)
            #expect(line.hasPrefix("directory-demo: waiting for another process that changes "))
            #expect(line.hasSuffix("/\(index)\n"))
        }
    }
#endif
