#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The standard error of the process.
package enum StandardError {
    /// Writes `text`; if that fails, because it is closed or full, there is nobody to tell.
    package static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                #if canImport(Darwin)
                    Darwin.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
                #else
                    Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
                #endif
            }
            if count < 0 && errno != EINTR { return }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
