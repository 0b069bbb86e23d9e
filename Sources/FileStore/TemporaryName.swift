import FileSystem
import Foundation

/// The names of the store's own files: those being written, and folders being deleted.
enum TemporaryName {
    private static let prefix = ".filestore-"
    private static let digitCount = 32

    /// A name that nobody has: 128 random bits in hexadecimal.
    static func random() throws -> FileName {
        let digits = String(UInt128.random(in: .min ... .max), radix: 16)
        let padding = String(repeating: "0", count: digitCount - digits.count)
        return try FileName(validating: prefix + padding + digits)
    }

    /// Whether `name` is exactly such a name, and so never a user's.
    static func matches(_ name: FileName) -> Bool {
        guard name.isHidden, name.bytes.starts(with: prefix.utf8) else { return false }
        let digits = name.bytes.dropFirst(prefix.utf8.count)
        return digits.count == digitCount && digits.allSatisfy("0123456789abcdef".utf8.contains)
    }
}

extension FileStatus {
    /// In seconds; no write takes so long.
    private static let longestWrite = 86_400.0

    /// Whether a temporary file was left behind by a process that died.
    var isStale: Bool { Date(nanoseconds: modified).timeIntervalSinceNow < -Self.longestWrite }
}

extension Date {
    /// The time `nanoseconds` after 1970 began.
    init(nanoseconds: Int) { self.init(timeIntervalSince1970: Double(nanoseconds) / 1e9) }
}
