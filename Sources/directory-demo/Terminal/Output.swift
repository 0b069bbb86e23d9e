import Foundation
import Synchronization

/// Prints like `Swift.print`, but keeps the error if standard output is closed or full.
///
/// `Swift.print` traps then, or loses the text without a word.
func print(_ text: String, terminator: String = "\n") { Output.append(text + terminator) }

/// Standard output, whose first error is kept until ``flush()``, and standard error.
enum Output {
    private struct State {
        var buffer: [UInt8] = []
        /// The error number of the first write that failed.
        var failure: CInt?

        mutating func write() {
            defer { buffer.removeAll() }
            // After a failed write nothing is written, because the text would have a gap.
            if failure == nil { failure = Output.write(buffer, to: STDOUT_FILENO) }
        }
    }

    private static let state = Mutex(State())

    static func append(_ text: String) {
        state.withLock { state in
            state.buffer += text.utf8
            if state.buffer.count >= 1 << 16 { state.write() }
        }
    }

    /// Writes the printed lines.
    ///
    /// - Throws: ``Failure`` if this or an earlier write failed.
    static func flush() throws {
        let failure = state.withLock { state in
            state.write()
            return state.failure
        }
        guard let failure else { return }
        let reason = String(cString: strerror(failure))
        throw Failure("cannot write to standard output: \(reason)")
    }

    /// Writes the printed lines now; an error is thrown by ``flush()``.
    static func show() { state.withLock { $0.write() } }

    /// Writes a line to standard error, and the hint if there is one; ignores a failure, which nobody can be told.
    static func report(_ message: String, _ hint: String? = nil) {
        let lines = ["directory-demo: \(message.printable)", hint].compactMap { $0 }
        _ = write(Array(lines.map { "\($0)\n" }.joined().utf8), to: STDERR_FILENO)
    }

    /// Opens the standard descriptors that are closed, so that no file of the store gets one of
    /// them.
    ///
    /// They are opened for the wrong access, so printing to them still fails.
    static func prepare() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) == -1 {
            // open(2) takes the lowest free descriptor, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes all `bytes`, and returns the error number if that fails.
    private static func write(_ bytes: [UInt8], to descriptor: CInt) -> CInt? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&writable, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}
