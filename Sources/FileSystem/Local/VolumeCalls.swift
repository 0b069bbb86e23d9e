package import CPosix

/// The system calls that not every system and volume has, or that behave differently there.
///
/// ``LocalFileSystem`` goes on without a missing call in the same way on every system, so tests replace
/// calls by ones that fail. Each has the result of the system call: -1 if it fails, with the reason in
/// errno(3).
package final class VolumeCalls: Sendable {
    package typealias Name = UnsafePointer<CChar>

    let read: @Sendable (Int32, UnsafeMutableRawPointer?, _ count: Int, off_t) -> Int
    let write: @Sendable (Int32, UnsafeRawPointer?, _ count: Int, off_t) -> Int
    let fullSync: @Sendable (Int32) -> Int32
    let sync: @Sendable (Int32) -> Int32
    let renameExclusive: @Sendable (_ folder: Int32, Name, _ newFolder: Int32, Name) -> Int32
    let exchange: @Sendable (_ folder: Int32, Name, Name) -> Int32
    let cloneAs: @Sendable (_ from: Int32, _ folder: Int32, Name) -> Int32
    let clearFlags: @Sendable (Int32) -> Int32
    let cloneInto: @Sendable (_ from: Int32, _ to: Int32) -> Int32
    let copyRange: @Sendable (_ from: Int32, Int64, _ to: Int32, Int64, _ count: Int) -> Int
    let setMode: @Sendable (_ folder: Int32, Name, mode_t, _ flags: Int32) -> Int32
    /// Whether the birth time of a folder is part of its identity.
    let birthIsFixed: Bool

    package init(
        read: @escaping @Sendable (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int = pread,
        write: @escaping @Sendable (Int32, UnsafeRawPointer?, Int, off_t) -> Int = pwrite,
        fullSync: @escaping @Sendable (Int32) -> Int32 = posix_full_sync,
        sync: @escaping @Sendable (Int32) -> Int32 = fsync,
        renameExclusive: @escaping @Sendable (Int32, Name, Int32, Name) -> Int32 =
            posix_rename_exclusive,
        exchange: @escaping @Sendable (Int32, Name, Name) -> Int32 = posix_exchange,
        cloneAs: @escaping @Sendable (Int32, Int32, Name) -> Int32 = posix_clone_as,
        clearFlags: @escaping @Sendable (Int32) -> Int32 = posix_clear_flags,
        cloneInto: @escaping @Sendable (Int32, Int32) -> Int32 = posix_clone_into,
        copyRange: @escaping @Sendable (Int32, Int64, Int32, Int64, Int) -> Int =
            posix_copy_range,
        setMode: @escaping @Sendable (Int32, Name, mode_t, Int32) -> Int32 = fchmodat,
        birthIsFixed: Bool = posix_birth_is_fixed() == 1
    ) {
        self.read = read
        self.write = write
        self.fullSync = fullSync
        self.sync = sync
        self.renameExclusive = renameExclusive
        self.exchange = exchange
        self.cloneAs = cloneAs
        self.clearFlags = clearFlags
        self.cloneInto = cloneInto
        self.copyRange = copyRange
        self.setMode = setMode
        self.birthIsFixed = birthIsFixed
    }

    /// The calls of this system.
    package static let system = VolumeCalls()
}
