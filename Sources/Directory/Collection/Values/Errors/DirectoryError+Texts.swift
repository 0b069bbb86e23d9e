import FileSystem

/// The texts of errors, by their codes.
extension DirectoryError.Code {
    /// The texts that errors with one code have, unless they bring better ones.
    struct Texts: Sendable {
        /// The usual reason, in words for people.
        let reason: String
        /// Advice for developers.
        let remedy: String
        /// Advice for people; nil if the remedy suits both.
        var advice: String?

        init(reason: String, remedy: String, advice: String? = nil) {
            (self.reason, self.remedy, self.advice) = (reason, remedy, advice)
        }

        /// The texts that all libraries have for a refusal.
        init(_ refusal: SystemRefusal) {
            self.init(reason: refusal.reason, remedy: refusal.remedy, advice: refusal.advice)
        }
    }

    /// The usual reason of errors with this code, in words for people.
    var usualReason: String {
        Self.texts[self]?.reason ?? "the system could not read or write it"
    }

    /// Advice for developers about errors with this code.
    var remedy: String? { Self.texts[self]?.remedy }

    /// Advice for people about errors with this code.
    var advice: String {
        Self.texts[self]?.advice ?? remedy
            ?? "Try again. If that fails too, check the drive, and restart the device."
    }

    /// The texts of all codes except `ioFailure`.
    static let texts: [Self: Texts] = [
        .invalidLocation: Texts(
            reason: "its place cannot be used",
            remedy: "Give a file URL and an index name such as projects.json.",
            advice: mistake),
        .invalidName: Texts(
            reason: "a name that it needs is not valid",
            remedy:
                "Use a name of 1 to 255 bytes (a folder 249), without slash, NUL, a dot at the beginning "
                + "or .recovered at the end; safeFolderName() makes one of any text.",
            advice: "Choose another name."),
        .nameTaken: Texts(
            reason: "a name that it needs is taken",
            remedy: "Choose another name, or move the file or folder that has it."),
        .duplicateID: Texts(
            reason: "it has the item already",
            remedy: "Update the item, or give the new one another id.",
            advice: "Change the item that is there already."),
        .invalidID: Texts(
            reason: "the item cannot be told from others",
            remedy: "Give the item an id that equals itself, such as a UUID.",
            advice: mistake),
        .itemChanged: Texts(
            reason: "the item was changed elsewhere in the meantime",
            remedy: "Show the item as it is now, and edit it again.",
            advice: "Look at the item as it is now, and edit it again."),
        .itemNotFound: Texts(
            reason: "the item is not there",
            remedy: "Load the collection and check the id.",
            advice: "It may have been removed elsewhere: look at what is there now."),
        .indexOutOfRange: Texts(
            reason: "it has fewer items",
            remedy: "Use the position of an item; to insert or to move, also the count.",
            advice: mistake),
        .sortedResults: Texts(
            reason: "the items are sorted",
            remedy: "Move items of results that keep the order of the collection.",
            advice: mistake),
        .damagedIndex: Texts(
            reason: "its file is damaged",
            remedy: "The file was left as it is; restore it, or repair it by hand.",
            advice:
                "The file was left as it is: get it back from a backup."
        ),
        .undecodable: Texts(
            reason: "its items cannot be read",
            remedy:
                "The file was left as it is; open it as the type that wrote it, or make items of its elements "
                + "with migrateDamagedItems.",
            advice:
                "The file was left as it is: open it with the version of the app that wrote it."),
        .unencodable: Texts(
            reason: "one of its values cannot be saved",
            remedy:
                "Check what the item's encode(to:) does, and that the decoder of the options fits the "
                + "encoder.",
            advice: mistake),
        .containerRemoved: Texts(
            reason: "the folder was removed or replaced",
            remedy: "Release this collection; its container no longer exists.",
            advice: "It may have been removed elsewhere: go back, and look at what is there now."),
        .assetMissing: Texts(
            reason: "its file is missing",
            remedy: "Import the file, so that it comes with its item.",
            advice: "Get the file back from a backup."),
        .sourceMissing: Texts(
            reason: "the file does not exist",
            remedy: "Check the path.",
            advice: "It may have been moved or removed: choose it again."),
        .notDownloaded: Texts(.notDownloaded),
        .sourceNotFile: Texts(
            reason: "it is not a file",
            remedy: "Import regular files only.",
            advice: "Choose another file."),
        .sourceOwned: Texts(
            reason: "it is the file of an item of a collection",
            remedy: "Import a copy, or transfer the item.",
            advice: "Copy the file instead of moving it."),
        .contentsLeftBehind: Texts(
            reason: "what is in its folder, or its file, would be removed",
            remedy:
                "Move the item by transfer(_:to:_:), which takes everything with it. If the other collection has items "
                + "of another type, transfer what is inside, and then remove the item.",
            advice: "Nothing was changed."),
        .undoConflict: Texts(
            reason: "the item was changed or removed since",
            remedy: "Show the items as they are now, and change them again.",
            advice: "Look at the items as they are now, and change them by hand."),
        .damagedCopy: Texts(
            reason: "something in the copy is damaged or missing",
            remedy: "Restore from another copy.",
            advice: "Restore from another copy."),
        .optionsDiffer: Texts(
            reason: "the app has opened it in another way",
            remedy: "Open the index with the same options everywhere in the process.",
            advice: mistake),
        .accessDenied: Texts(.noPermission),
        .deviceLocked: Texts(.deviceLocked),
        .noSpace: Texts(
            reason: SystemRefusal.noSpace.reason,
            remedy: "Free some space and try again; removeUndoHistory() frees what undo keeps.",
            advice: SystemRefusal.noSpace.advice),
        .readOnly: Texts(.readOnly),
        .crossVolume: Texts(
            reason: "it would have to be moved to another volume",
            remedy: "Export the items and import them on the other volume."),
        .locked: Texts(
            reason: "another program has been using it",
            remedy: "Try again when the other change is done.",
            advice: "Try again in a moment."),
        .suspended: Texts(
            reason: "the system gives the app no time now",
            remedy: "Try again when the app is active."),
        .nestedWrite: Texts(
            reason: "the app has not finished what it was doing with it",
            remedy: "Finish one change before you begin the next, or make both in one write.",
            advice: mistake),
        .closed: Texts(
            reason: "it was closed",
            remedy: "Open the collection again, as a new value.",
            advice: "Open it again."),
        .stageClosed: Texts(
            reason: "the files were imported or discarded before",
            remedy: "Make a new stage.",
            advice: "Import the files again."),
        .indexConflict: Texts(
            reason: "another program changed it before its newest changes were written into it",
            remedy: "Restore the index, or choose with resolveConflict(keeping:).",
            advice:
                "Nothing is lost: choose which of the two to keep, or get the file back from a backup."
        ),
        .journalDamaged: Texts(
            reason: "its newest changes were damaged on the drive or by others",
            remedy: "The files were left as they are; restore them from a backup.",
            advice: "The files were left as they are: get them back from a backup."),
        .journalMissing: Texts(
            reason: "its newest changes were removed from the drive by another program",
            remedy:
                "Put the file back, or call repair(), which writes the changes that this process still has.",
            advice: "Do not quit the app: repair it, which saves the changes again."),
        .inDoubt: Texts(
            reason: doubt(because: failedDrive),
            remedy:
                "Release all values of the collection, then open it again to see what is on disk.",
            advice: "Open it again to see what was saved."),
        .unfinishedChange: Texts(
            reason:
                "the app ended while it changed it together with other collections, and one of them was "
                + "moved, copied or edited since",
            remedy:
                "Put both folders where they were, or call repair() on the collection that this is about.",
            advice: "Put all folders where they were, or repair this collection."),
        .unwatchable: Texts(
            reason: "the system does not report changes of other programs",
            remedy:
                "Nothing has to be done; to see changes at once, raise the limit of inotify watches or "
                + "open files, or use a local volume.",
            advice: "Nothing has to be done: changes are looked for once a second."),
    ]

    private static let mistake = TextForPeople.mistake

    /// The usual reason of an error of a drive that has no code of its own.
    static let failedDrive = "the drive failed"

    /// The reason of an error after which it is unknown whether a change was saved.
    static func doubt(because reason: String) -> String {
        "\(reason), and it is not known whether the change was saved"
    }
}
