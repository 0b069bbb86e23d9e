/// Why the system refuses a call, in the words of all libraries.
package struct SystemRefusal: Hashable, Sendable {
    /// The reason for people: a sentence without its capital letter and its full stop.
    package let reason: String
    /// Advice for people, as sentences.
    package let advice: String
    /// Advice for developers, as sentences; each refusal has its own.
    package let remedy: String

    /// The remedy is nil if the advice for people suits both.
    private init(reason: String, advice: String, remedy: String? = nil) {
        (self.reason, self.advice, self.remedy) = (reason, advice, remedy ?? advice)
    }
}

extension SystemRefusal {
    package static let all = [
        noSpace, readOnly, noPermission, otherOwner, deviceLocked, notDownloaded, tooManyFiles,
        immovable,
    ]

    package static let noSpace = SystemRefusal(
        reason: "there is no space left", advice: "Free some space and try again.")
    package static let readOnly = SystemRefusal(
        reason: "the volume is read-only", advice: "Use a volume that can be written to.")
    package static let noPermission = SystemRefusal(
        reason: "a permission is missing",
        advice: "Check the permissions of the file, and of the folder that it is in.",
        remedy: "Check the permissions.")
    package static let otherOwner = SystemRefusal(
        reason: "it, or its folder, belongs to another user of this device",
        advice: "Sign in as the user who owns it, or make yourself its owner.",
        remedy: "Run as that user, or give it to the user of this process: chown(1).")
    package static let deviceLocked = SystemRefusal(
        reason: "the device is locked", advice: "Try again when the device is unlocked.")
    package static let notDownloaded = SystemRefusal(
        reason: "it is only in the cloud, and was not downloaded",
        advice: "Download it first, then try again.",
        remedy:
            "Download the file first, with startDownloadingUbiquitousItem(at:) or a coordinated read."
    )
    package static let tooManyFiles = SystemRefusal(
        reason: "too many files are open now",
        advice: "Do less at once, or quit this app and others, and try again.",
        remedy: "Use fewer collections and files at once, or raise the limit of open files: "
            + "setrlimit(2), or ulimit -n in the shell.")
    package static let immovable = SystemRefusal(
        reason: "its drive cannot move it",
        advice: "Copy everything to another place, and use the copy.",
        remedy: "Make a copy on another volume, and use that; overlayfs cannot move a folder of a "
            + "lower layer.")
}

extension FileSystemError {
    /// Why the system refused the call; nil if there is no better text than that of the error number.
    package var refusal: SystemRefusal? {
        switch code {
        case .noSpace, .quotaExceeded: .noSpace
        case .readOnly: .readOnly
        case .notPermitted where LockedDevice.canRefuse(self): .deviceLocked
        case .accessDenied, .notPermitted: otherOwner == nil ? .noPermission : .otherOwner
        case .deadlock: .notDownloaded
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem: .tooManyFiles
        case .crossDevice: .immovable
        default: nil
        }
    }
}
