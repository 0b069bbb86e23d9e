import Preferences
import Synchronization

/// The errors that a store reported.
final class Reports: Sendable {
    private let errors = Mutex<[PreferenceError]>([])

    var all: [PreferenceError] { errors.withLock { $0 } }
    var codes: [PreferenceError.Code] { all.map(\.code) }

    @Sendable func append(_ error: PreferenceError) {
        errors.withLock { $0.append(error) }
    }
}

/// A store in memory, and the errors that it reported.
func memoryStore() -> (store: PreferenceStore, reports: Reports) {
    let reports = Reports()
    return (PreferenceStore.inMemory().reporting(to: reports.append), reports)
}
