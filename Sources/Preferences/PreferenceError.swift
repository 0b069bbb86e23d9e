/// An error of one preference.
///
/// Reading and setting a preference throws nothing. The error is passed to the report of the store
/// (see ``PreferenceStore/reporting(to:)``), and the preference still has a value.
///
///     let store = PreferenceStore.standard.reporting { error in
///         if error.code == .unsaved { showWarning(error.description) }
///     }
public struct PreferenceError: Error, Sendable {
    /// What happened, and which value the preference has now.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// The stored value cannot be read as the property's type; the preference has its default.
        ///
        /// The stored value stays as it is until the preference is set.
        public static let unreadable = Code(name: "unreadable")

        /// The value cannot be stored; the preference stays as it was.
        public static let unwritable = Code(name: "unwritable")

        /// The new value is set for this process, but may not be in the file of the suite.
        ///
        /// Foundation on Linux saves all suites at once, and does not say which one failed.
        public static let unsaved = Code(name: "unsaved")
    }

    /// What happened.
    public let code: Code
    /// The key of the preference.
    public let key: String
    /// The cause, if another error describes it.
    public let underlyingError: (any Error)?
}

extension PreferenceError: CustomStringConvertible {
    /// A sentence for a log: the preference, what holds now, and the reason.
    public var description: String {
        let outcome =
            switch code {
            case .unreadable: "the stored value cannot be read, the default is used"
            case .unwritable: "the value cannot be stored, the preference stays as it was"
            default: "the new value may not be saved"
            }
        let reason = underlyingError.map { ": \($0)" } ?? ""
        return "preference \(key.debugDescription): \(outcome)\(reason)"
    }
}
