/// What people are told about an error, by all libraries.
///
/// People know visible files, names and actions. They do not know paths, ids, types, hidden files and functions.
package struct TextForPeople: Sendable {
    /// What failed, as a verb phrase: "save “Norway”".
    package let operation: String
    /// A sentence without its capital letter and its full stop.
    package let reason: String
    /// Sentences; nil if people can do nothing.
    package let advice: String?

    package init(_ operation: String, _ reason: String, _ advice: String?) {
        (self.operation, self.reason, self.advice) = (operation, reason, advice)
    }

    /// The operation and the reason, as a sentence.
    package var sentence: String { "Cannot \(operation): \(reason)." }

    /// The reason, as a sentence.
    package var reasonSentence: String {
        reason.prefix(1).uppercased() + reason.dropFirst() + "."
    }

    /// The reason of a failed system call that says nothing to people.
    package static let refused = "the system does not allow it, or could not do it"
    /// The advice about a failed write.
    package static let checkSpace =
        "Check the permissions and the space that is left, then try again."
    /// The advice about something that is missing.
    package static let lookAgain =
        "It may have been moved or removed elsewhere: look at what is there now."
    /// The advice about a name that something else has.
    package static let freeName = "Move or rename what has the name, then try again."
    /// The advice about an error that only a change of the app can end.
    package static let mistake = "This is a mistake in the app: report it to its developers."

    /// The name of a file or folder in quotation marks, without `.json`; `other` if the name has a UUID, which nobody
    /// knows.
    package static func quoted(_ name: String, or other: String) -> String {
        if name.contains(#/[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}/#) { return other }
        return "“\(name.hasSuffix(".json") ? String(name.dropLast(5)) : name)”"
    }
}
