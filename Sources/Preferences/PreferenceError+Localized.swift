import FileSystem
public import Foundation

extension PreferenceError: LocalizedError {
    /// What failed and the reason for people, in English, without the key.
    public var errorDescription: String? { text.sentence }

    /// The reason for people, as a sentence.
    public var failureReason: String? { text.reasonSentence }

    /// Advice for people, as sentences.
    public var recoverySuggestion: String? { text.advice }

    private var text: TextForPeople {
        switch code {
        case .unreadable
        where underlyingError is FileSystemError || underlyingError is DamagedSuite:
            TextForPeople(
                "read a setting",
                "the file of the settings cannot be read, and the usual value is used",
                "Check the permissions of the file, or get it back from a backup.")
        case .unreadable:
            TextForPeople(
                "read a setting",
                "this version of the app does not understand its value, and uses the usual one",
                "Look at the settings, and choose the value again.")
        case .partlyUnreadable:
            TextForPeople(
                "read a part of a setting",
                "this version of the app does not understand that part, and uses the rest",
                "Look at the settings, and choose the value again.")
        case .unwritable:
            TextForPeople(
                "change a setting", "the new value cannot be saved, and the earlier one stays",
                "Choose another value.")
        default:
            TextForPeople(
                "save a setting", "its file cannot be read or written",
                "The new value is used until the app ends. Check the permissions and the space that is left, "
                    + "then choose the value again.")
        }
    }
}
