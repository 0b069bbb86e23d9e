import CPosix

/// An error number of the operating system, as errno(3) lists them.
package struct Errno: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let accessDenied = Errno(rawValue: EACCES)
    package static let badDescriptor = Errno(rawValue: EBADF)
    /// The error of moving or removing a folder at which a volume is mounted.
    package static let busy = Errno(rawValue: EBUSY)
    package static let crossDevice = Errno(rawValue: EXDEV)
    /// The error of Apple's systems for a file whose bytes are only in a cloud, if the process refuses
    /// downloads.
    package static let deadlock = Errno(rawValue: EDEADLK)
    package static let directoryNotEmpty = Errno(rawValue: ENOTEMPTY)
    package static let fileExists = Errno(rawValue: EEXIST)
    package static let illegalByteSequence = Errno(rawValue: EILSEQ)
    package static let invalidArgument = Errno(rawValue: EINVAL)
    package static let ioError = Errno(rawValue: EIO)
    package static let isFolder = Errno(rawValue: EISDIR)
    package static let nameTooLong = Errno(rawValue: ENAMETOOLONG)
    package static let noSpace = Errno(rawValue: ENOSPC)
    package static let noSuchFile = Errno(rawValue: ENOENT)
    package static let notFolder = Errno(rawValue: ENOTDIR)
    package static let notPermitted = Errno(rawValue: EPERM)
    package static let noSuchDevice = Errno(rawValue: ENXIO)
    package static let notSupported = Errno(rawValue: ENOTSUP)
    package static let operationNotSupported = Errno(rawValue: EOPNOTSUPP)
    package static let quotaExceeded = Errno(rawValue: EDQUOT)
    package static let readOnly = Errno(rawValue: EROFS)
    package static let tooManyOpenFiles = Errno(rawValue: EMFILE)
    /// Of all processes together.
    package static let tooManyOpenFilesInSystem = Errno(rawValue: ENFILE)
    package static let tooManyLinks = Errno(rawValue: ELOOP)

    /// The error number of the last system call that failed on this thread.
    static var last: Errno { Errno(rawValue: posix_errno()) }

    /// Whether the system or the volume has no such call, unlike a call that was made and failed.
    var meansUnsupported: Bool {
        [ENOTSUP, EOPNOTSUPP, ENOTTY, EINVAL, ENOSYS].contains(rawValue)
    }

    /// The system's text for the number: strerror_r(3).
    ///
    /// `deadlock` and `busy` have texts of their own, because the system's would mislead.
    package var reason: String {
        if self == .deadlock { return "the file is in a cloud, and was not downloaded" }
        if self == .busy { return "a volume is mounted there, or the system uses it" }
        var buffer = [CChar](repeating: 0, count: 256)
        guard posix_error_text(rawValue, &buffer, buffer.count) == 0 else {
            return "error \(rawValue)"
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }
}
