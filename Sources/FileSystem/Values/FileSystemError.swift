/// A failed system call: the operation, the path and the reason.
package struct FileSystemError: Error, Hashable, CustomStringConvertible {
    /// A verb phrase that a path can follow: "rename".
    package let operation: String
    /// The path of the file or folder that the call was given.
    package let path: String
    package let code: Errno

    package init(_ operation: String, _ path: String, _ code: Errno) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    package var description: String { "cannot \(operation) \(path): \(code.reason)" }
}

extension FileSystemError {
    /// Whether the volume or the quota has no space left for bytes or files.
    package var isFullVolume: Bool { [.noSpace, .quotaExceeded].contains(code) }

    /// Whether this user has no access to the file or the folder.
    package var isAccessRefusal: Bool { [.accessDenied, .notPermitted].contains(code) }

    /// Whether this user cannot write to the volume or the folder, or the volume is full.
    package var isWriteRefusal: Bool { isFullVolume || isAccessRefusal || code == .readOnly }
}
