import Foundation
import Testing

#if os(Linux) || os(macOS)
    /// A terminal that a test reads from.
    struct PseudoTerminal {
        let master: FileHandle
        let slave: FileHandle

        init() throws {
            var (readingEnd, writingEnd): (Int32, Int32) = (-1, -1)
            let status = openpty(&readingEnd, &writingEnd, nil, nil, nil)
            try #require(status == 0)
            master = FileHandle(fileDescriptor: readingEnd, closeOnDealloc: true)
            slave = FileHandle(fileDescriptor: writingEnd, closeOnDealloc: true)
        }

        /// What `demo`, which was started on the slave, prints until it ends.
        func output(of demo: DemoProcess) throws -> String {
            try slave.close()
            var bytes = Data()
            var buffer = [UInt8](repeating: 0, count: 4096)
            // At the end, reading from a terminal fails (EIO).
            while case let count = read(master.fileDescriptor, &buffer, buffer.count), count > 0 {
                bytes += buffer.prefix(count)
            }
            demo.process.waitUntilExit()
            return String(decoding: bytes, as: UTF8.self)
        }
    }
#endif
