import FileSystem
import Foundation

extension DirectoryError {
    /// The error with `code` as a collection on a disk usually throws it.
    init(typical code: Code, _ operation: String, _ url: URL) {
        if let errno = Self.systemErrors[code] {
            self.init(code, operation, url, errno.reason)
        } else {
            self.init(code, operation, url, Self.typicalReasons[code] ?? "the error is \(code)")
        }
    }

    private static let systemErrors: [Code: Errno] = [
        .accessDenied: .accessDenied, .deviceLocked: .notPermitted, .ioFailure: .ioError,
        .noSpace: .noSpace, .notDownloaded: .deadlock, .readOnly: .readOnly,
    ]

    private static let typicalReasons: [Code: String] = [
        .assetMissing: "its file is missing",
        .cancelled: "the import was cancelled",
        .containerRemoved: "the folder was removed or replaced",
        .crossVolume: "the other collection is on another volume",
        .damagedIndex: "it is not a JSON array",
        .inDoubt: "a change could neither be synced nor undone",
        .indexConflict: "another program changed it meanwhile",
        .itemChanged: "the item was changed after it was read",
        .journalDamaged: "its journal has changed after it was synced",
        .locked: "another process has held the lock for too long",
        .nameTaken: "the name is taken",
        .suspended: "the system grants no time to the app now",
        .undecodable: "its items cannot be read",
        .undoConflict: "it was changed since",
        .unfinishedTransfer:
            "a process died during a transfer, and the other collection is not there any more",
    ]
}
