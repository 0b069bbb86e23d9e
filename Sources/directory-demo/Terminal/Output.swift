import Foundation
import Synchronization

/// Prints like `Swift.print`, but an error is not lost: ``Output/check()`` throws it.
func print(_ text: String, terminator: String = "\n") { Output.write(text + terminator) }

/// Standard output and standard error.
enum Output {
    /// The error number of the first text that could not be written to standard output.
    private static let failure = Mutex<CInt?>(nil)

    fileprivate static func write(_ text: String) {
        failure.withLock { failure in
            var rest = Array(text.utf8)[...]
            // After a failure nothing is written, because the text would have a gap.
            while !rest.isEmpty, failure == nil {
                let count = rest.withUnsafeBytes {
                    Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count)
                }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    failure = errno
                }
            }
        }
    }

    /// - Throws: ``Failure`` if something that was printed could not be written.
    static func check() throws {
        guard let failure = failure.withLock({ $0 }) else { return }
        throw Failure("cannot write to standard output: \(String(cString: strerror(failure)))")
    }

    /// Writes a line to standard error, and the hint if there is one; ignores a failure, which nobody can be told.
    static func report(_ message: String, _ hint: String? = nil) {
        let lines = ["directory-demo: \(message)", hint].compactMap(\.self)
        let text = lines.map { "\($0.printable)\n" }.joined()
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Opens the standard descriptors that are closed, so that no file of the store gets one of them.
    ///
    /// They are opened for the wrong access, so printing to them still fails.
    static func prepare() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) == -1 {
            // open(2) takes the lowest free descriptor, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
