/// When the bytes of a file can be read: Apple's classes of data protection.
package enum DataProtection: Int32, Sendable, Hashable {
    /// While the device is unlocked.
    case complete = 1
    /// While the device is unlocked, and afterwards by a process that has the file open.
    case completeUnlessOpen = 2
    /// After the device was unlocked once since it was started.
    case completeUntilFirstUserAuthentication = 3
    /// Always.
    case none = 4
}
