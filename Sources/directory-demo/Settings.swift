import Preferences
import Synchronization

/// What the user prefers, from one start of the demo to the next.
struct Settings: Sendable {
    /// The order in which `list` shows the projects.
    enum Sort: String, CaseIterable, PreferenceValue { case order, name, photos }

    /// When there is colour; `auto` is on terminals.
    enum Colour: String, CaseIterable, PreferenceValue { case auto, always, never }

    @Preference("sort", store: store) var sort = Sort.order
    @Preference("colour", store: store) var colour = Colour.auto
    /// The project of the default store that was last made or imported into.
    @Preference("project", store: store) var project: String?

    private static let errors = Mutex<[PreferenceError]>([])

    /// A suite of the demo's own.
    private static let store = (PreferenceStore(suiteName: "directory-demo") ?? .standard)
        .reporting { error in errors.withLock { $0.append(error) } }

    /// What went wrong with preferences since this was called last.
    static func takeErrors() -> [PreferenceError] {
        errors.withLock { errors in
            defer { errors = [] }
            return errors
        }
    }
}
