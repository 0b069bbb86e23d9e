import Directory
import FileSystem
public import Foundation

extension ReplicaError: LocalizedError {
    /// The reason for people, in English, without paths and ids.
    public var errorDescription: String? { text.sentence }

    /// The reason for people, as a sentence.
    public var failureReason: String? { text.reasonSentence }

    /// Advice for people, as sentences.
    public var recoverySuggestion: String? { text.advice }

    private var text: TextForPeople {
        if code == .ioFailure, let error = underlying as? FileSystemError {
            return DirectoryError(error, "sync", url).text
        }
        let (reason, advice) = Self.texts[code] ?? Self.damaged
        return TextForPeople("sync", reason, advice)
    }

    private static let damaged = (
        reason: "a file that it needs is damaged",
        advice: "Try again. If that fails too, stop syncing with the shared folder, and begin anew."
    )

    /// The texts of all codes except `ioFailure`.
    private static let texts: [Code: (reason: String, advice: String)] = [
        .unsupportedID: (
            "other devices could not tell the items apart", TextForPeople.mistake
        ),
        .fixedFolderName: (
            "the folder of an item could not get another name", TextForPeople.mistake
        ),
        .invalidLocation: (
            "the shared folder is a file, or it and the folder of the app are in each other",
            "Choose another shared folder."
        ),
        .unsupportedItem: (
            "other devices could not read an item, because it or its file is too large",
            "Make the item or its file smaller, or remove it."
        ),
        .duplicateID: ("an item is in two places", "Remove it from one of them."),
        .folderMissing: (
            "the shared folder is missing or empty, or the folder of the app is missing",
            "Connect the drive that it is on, or bring the folder back, then try again."
        ),
        .otherNetwork: (
            "the shared folder belongs to devices with which this one was never synced",
            "Choose the folder that was used before, or stop syncing with that one first."
        ),
        .notAReplica: ("the folder is used for something else", "Choose another folder."),
        .newerFormat: (
            "a newer version of the app uses the shared folder", "Update the app on this device."
        ),
        .notFound: (
            "what was chosen is not there any longer",
            "It may have been changed or removed elsewhere: look at what is there now."
        ),
        .busy: ("it is in use just now", "Try again in a moment."),
        .left: ("syncing with the shared folder was ended", "Begin to sync again."),
    ]
}
