import Preferences
import Synchronization

/// The preferences of the user, which stay after the demo has ended.
struct Settings: Sendable {
    /// The order in which `list` shows the projects.
    enum Sort: String, CaseIterable, PreferenceValue { case order, name, photos }

    /// When the output has colour; `auto` means on a terminal.
    enum Colour: String, CaseIterable, PreferenceValue { case auto, always, never }

    @Preference("sort", store: store) var sort = Sort.order
    @Preference("colour", store: store) var colour = Colour.auto
    /// The project of the default store that was used last: made, renamed, or imported into.
    @Preference("project", store: store) var project: String?

    private static let errors = Mutex<[PreferenceError]>([])

    /// The suite of the demo.
    private static let store = (PreferenceStore(suiteName: "directory-demo") ?? .standard)
        .reporting { error in errors.withLock { $0.append(error) } }

    /// The errors of preferences since the last call.
    static func takeErrors() -> [PreferenceError] {
        errors.withLock { errors in
            defer { errors = [] }
            return errors
        }
    }
}
