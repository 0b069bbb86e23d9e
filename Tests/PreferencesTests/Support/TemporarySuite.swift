import Foundation
import Preferences
import Synchronization
import Testing

/// A suite of its own that is removed, with its file, when the test is over.
final class TemporarySuite: Sendable {
    let name: String
    let store: PreferenceStore
    private let reported: Reports

    init(name: String = "PreferencesTests-\(UUID())") throws {
        self.name = name
        reported = Reports()
        store = try #require(PreferenceStore(suiteName: name)).reporting(to: reported.append)
    }

    deinit {
        // Not removePersistentDomain, which would announce a change to all other tests.
        let defaults = UserDefaults(suiteName: name)
        for key in contents.keys { defaults?.removeObject(forKey: key) }
        defaults?.synchronize()
        #if os(Linux)
            try? FileManager.default.removeItem(at: file)  // best effort: it may not exist
        #endif
    }

    /// What `UserDefaults` itself says about the suite.
    func defaults() throws -> UserDefaults {
        try #require(UserDefaults(suiteName: name))
    }

    /// What is stored, without what is registered.
    var contents: [String: Any] {
        UserDefaults.standard.persistentDomain(forName: name) ?? [:]
    }

    var file: URL {
        let folder = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"].map {
            URL(filePath: $0)
        }
        return (folder ?? .homeDirectory.appending(path: ".config")).appending(
            path: "\(name).plist")
    }

    var reports: [PreferenceError] { reported.all }
}

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
