import CPosix

/// The standard error of the process.
package enum StandardError {
    /// Writes `text`; a failure is ignored, because there is nowhere to report it.
    package static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                CPosix.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
            }
            if count < 0 && posix_errno() != EINTR { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
