import CPosix
import Foundation

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

    package var description: String { "cannot \(operation) \(path): \(reason)" }
}

extension FileSystemError {
    /// The reason for messages; if another user owns what was refused, it says who.
    package var reason: String {
        if isOfPathWithoutUTF8 { return "\(code.reason); \(Self.isNotUTF8)" }
        guard let owner = otherOwner else { return code.reason }
        return "\(code.reason); \(path), or a folder above it, belongs to the user \(owner)"
    }

    /// Advice for developers that every library gives; nil if there is none.
    package var remedy: String? {
        if isOfPathWithoutUTF8 { return "Rename what has bytes in its name that are not UTF-8." }
        return refusal?.remedy
    }

    /// The description, and the advice for developers if there is one.
    package var message: String { description + (remedy.map { ". \($0)" } ?? "") }

    /// Whether the path leads nowhere because it has bytes that are not UTF-8: Foundation replaces them by a character, or
    /// gives no path.
    package var isOfPathWithoutUTF8: Bool {
        code == .illegalByteSequence
            || code == .noSuchFile && path.unicodeScalars.contains("\u{FFFD}")
    }

    /// The reason of ``isOfPathWithoutUTF8``.
    package static let isNotUTF8 = "its path has bytes that are not UTF-8"

    /// The user who owns the file or folder that was refused, or the nearest folder above it if it does not exist; nil if
    /// that is the user of this process, or not known.
    ///
    /// A program that ran once as root leaves such files.
    package var otherOwner: String? {
        // Root is refused for other reasons.
        guard isAccessRefusal, geteuid() != 0 else { return nil }
        var path = path
        while path.hasPrefix("/") {
            if let attributes = try? FileManager.default.attributesOfItem(atPath: path) {
                guard let id = (attributes[.ownerAccountID] as? NSNumber)?.intValue,
                    id != Int(geteuid())
                else { return nil }
                return attributes[.ownerAccountName] as? String ?? "\(id)"
            }
            if path == "/" { return nil }
            path = (path as NSString).deletingLastPathComponent
        }
        return nil
    }

    /// Whether the volume or the quota has no space left for bytes or files.
    package var isFullVolume: Bool { [.noSpace, .quotaExceeded].contains(code) }

    /// Whether this user has no access to the file or the folder.
    package var isAccessRefusal: Bool { [.accessDenied, .notPermitted].contains(code) }

    /// Whether this user cannot write to the volume or the folder, or the volume is full.
    package var isWriteRefusal: Bool { isFullVolume || isAccessRefusal || code == .readOnly }
}
