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
#endif
