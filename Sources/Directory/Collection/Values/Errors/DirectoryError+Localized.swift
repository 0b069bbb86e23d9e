public import Foundation

extension DirectoryError {
    /// The texts for people, if they differ from those for developers.
    ///
    /// People know visible files, names and actions. They do not know ids, types, hidden files and functions.
    struct Wording: Sendable {
        /// A verb phrase, as ``DirectoryError/operation``.
        var operation: String?
        /// The file, folder or name that the error is about, if people do not know the one of the
        /// URL.
        var name: String?
        var reason: String?
        /// A sentence.
        var remedy: String?
    }

    /// The same error, with `name` as the name that people know.
    func naming(_ name: String) -> DirectoryError {
        var error = self
        error.wording.name = name
        return error
    }

    private var reasonForPeople: String { wording.reason ?? reason }
}

extension DirectoryError: LocalizedError {
    /// The operation and the reason, in English, without paths.
    public var errorDescription: String? {
        let name = wording.name ?? url.lastPathComponent
        return "Cannot \(wording.operation ?? operation) “\(name)”: \(reasonForPeople)."
    }

    /// The reason, as a sentence.
    public var failureReason: String? {
        reasonForPeople.prefix(1).uppercased() + reasonForPeople.dropFirst() + "."
    }

    /// Advice for people, as sentences; nil if it depends on the system call that failed.
    public var recoverySuggestion: String? { wording.remedy }
}

extension DirectoryError.Code {
    /// Advice for people about errors with this code; that for developers if it suits both.
    var advice: String? { Self.advice[self] ?? remedy }

    private static let mistake = "This is a mistake in the app: report it to its developers."

    private static let advice: [Self: String] = [
        .noSpace: "Free some space and try again.",
        .invalidLocation: mistake,
        .invalidName: "Choose another name.",
        .duplicateID: "Change the item that is there already.",
        .invalidID: mistake,
        .itemChanged: "Look at the item as it is now, and edit it again.",
        .itemNotFound: "It may have been removed elsewhere: look at what is there now.",
        .indexOutOfRange: mistake,
        .damagedIndex:
            "The file was left as it is: get it back from a backup, or correct it in a text editor.",
        .undecodable:
            "The file was left as it is: open it with the version of the app that wrote it.",
        .unencodable: mistake,
        .containerRemoved:
            "It may have been removed elsewhere: go back, and look at what is there now.",
        .assetMissing: "Get the file back from a backup.",
        .sourceMissing: "It may have been moved or removed: choose it again.",
        .notDownloaded: "Download it first, then try again.",
        .sourceNotFile: "Choose another file.",
        .sourceOwned: "Copy the file instead of moving it.",
        .undoConflict: "Look at the items as they are now, and change them by hand.",
        .damagedCopy: "Restore from another copy.",
        .optionsDiffer: mistake,
        .accessDenied: "Check the permissions of the file, and of the folder that it is in.",
        .locked: "Try again in a moment.",
        .nestedWrite: mistake,
        .closed: "Open it again.",
        .stageClosed: "Import the files again.",
        .indexConflict:
            "Nothing is lost: choose which of the two to keep, or get the file back from a backup.",
        .journalDamaged: "The files were left as they are: get them back from a backup.",
        .unwatchable: "Nothing has to be done: changes are looked for once a second.",
        .inDoubt: "Open it again to see what was saved.",
        .unfinishedChange:
            "Put all folders where they were, or repair this collection.",
    ]
}
