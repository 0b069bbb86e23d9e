public import Foundation

/// Dates that 64 bits of nanoseconds cannot hold, and some beside them, in seconds since 1970.
public let distantTimes = [
    Int.min, -62_135_596_800, -9_223_372_037, -9_223_372_036, -1, 9_223_372_036, 9_223_372_037,
    10_413_792_000, 253_402_300_799, Int.max,
]

/// Sets the modification date of a file or folder, as `touch -d` does.
///
/// - Returns: The seconds that the volume keeps: the nearest ones that it can.
@discardableResult
public func setModificationTime(of url: URL, toSeconds seconds: Int) throws -> Int {
    let path = url.path(percentEncoded: false)
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    var found = stat()
    guard utimensat(AT_FDCWD, path, [time, time], 0) == 0, lstat(path, &found) == 0 else {
        throw CocoaError(.fileWriteUnknown)
    }
    #if canImport(Darwin)
        return found.st_mtimespec.tv_sec
    #else
        return found.st_mtim.tv_sec
    #endif
}
