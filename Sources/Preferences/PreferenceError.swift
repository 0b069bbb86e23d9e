import FileSystem

/// An error of one preference.
///
/// Reading and setting a preference throws nothing. The error is passed to the report of the store
/// (see ``PreferenceStore/reporting(to:)``), and the preference still has a value.
///
///     let store = PreferenceStore.standard.reporting { error in
///         if error.code == .unsaved { showWarning(error.localizedDescription) }
///     }
///
/// Log the ``description``, and show people the `localizedDescription` and the `recoverySuggestion`.
public struct PreferenceError: Error, Sendable {
    /// The kind of error, which tells the value that the preference has now.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// The stored value cannot be read at all, or not as the property's type; the preference has
        /// its default.
        ///
        /// The stored value stays as it is until the preference is set. A file of the suite that
        /// cannot be read stays as it is even then. Only Linux reports such a file.
        public static let unreadable = Code(name: "unreadable")

        /// Elements of the stored array, set or dictionary cannot be read; the preference has the
        /// others.
        ///
        /// The stored value stays as it is until the preference is set.
        public static let partlyUnreadable = Code(name: "partlyUnreadable")

        /// The value cannot be stored; the preference stays as it was.
        public static let unwritable = Code(name: "unwritable")

        /// The new value is set for this process, but is not saved in the file of the suite.
        ///
        /// The file could not be read or replaced, so it is as it was. The value is saved with the
        /// next one that is set in the suite. Only Linux reports this.
        public static let unsaved = Code(name: "unsaved")
    }

    /// The kind of error.
    public let code: Code
    /// The key of the preference.
    public let key: String
    /// The cause, if another error describes it.
    public let underlyingError: (any Error)?
}

extension PreferenceError: CustomStringConvertible {
    /// A sentence for a log: the preference, its state now, and the reason.
    public var description: String {
        let outcome =
            switch code {
            case .unreadable: "the stored value cannot be read, the default is used"
            case .partlyUnreadable: "an element of the stored value cannot be read and is left out"
            case .unwritable: "the value cannot be stored, the preference stays as it was"
            default: "the new value is not saved"
            }
        let reason = underlyingError.map { ": \(($0 as? FileSystemError)?.message ?? "\($0)")" }
        return "preference \(key.debugDescription): \(outcome)\(reason ?? "")"
    }
}
