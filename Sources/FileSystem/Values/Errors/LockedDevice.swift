/// A locked device, which refuses to read and write protected files.
package enum LockedDevice {
    /// Whether this system protects files while the device is locked.
    ///
    /// A Mac does not: there, EPERM of an app made with Catalyst means that people did not allow it to read
    /// the folder (Apple, "Controlling app access to files in macOS").
    #if (os(iOS) || os(tvOS) || os(visionOS)) && !targetEnvironment(macCatalyst)
        @TaskLocal package static var protectsFiles = true
    #else
        @TaskLocal package static var protectsFiles = false
    #endif

    /// The operations that need the key of a file.
    private static let operations: Set<String> = [
        "open", "create", "read", "write", "truncate", "clone", "copy", "protect",
    ]

    /// Whether `error`, with EPERM, comes from a file that is protected until the device is unlocked.
    ///
    /// A locked device refuses the bytes of a file with EPERM, and a missing permission with EACCES
    /// (cp_check_access in hfs_cprotect.c of Apple's hfs; "Encrypting Your App's Files").
    package static func canRefuse(_ error: FileSystemError) -> Bool {
        protectsFiles && operations.contains(error.operation)
    }
}
