/// A time that a volume keeps of a file.
///
/// It has two parts because volumes keep times, such as the year 2300, that do not fit 64 bits of
/// nanoseconds.
package struct FileTime: Hashable, Sendable {
    /// The whole seconds since the beginning of 1970.
    package var seconds: Int
    /// The rest in nanoseconds, less than a second.
    package var nanoseconds: Int

    package init(seconds: Int, nanoseconds: Int) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The beginning of 1970.
    package static let epoch = FileTime(seconds: 0, nanoseconds: 0)

    static let nanosecondsInASecond = 1_000_000_000

    /// The time in nanoseconds since 1970, or the nearest number if that has more than 64 bits.
    package var nanosecondsSince1970: Int {
        let whole = Int128(seconds) * Int128(Self.nanosecondsInASecond)
        return Int(clamping: whole + Int128(nanoseconds))
    }

    /// The time a nanosecond later, or the same time if there is no later one.
    package var next: FileTime {
        if nanoseconds + 1 < Self.nanosecondsInASecond {
            return FileTime(seconds: seconds, nanoseconds: nanoseconds + 1)
        }
        return seconds == .max ? self : FileTime(seconds: seconds + 1, nanoseconds: 0)
    }
}

extension FileTime: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}
