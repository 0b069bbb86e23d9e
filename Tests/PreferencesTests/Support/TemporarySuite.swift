import Foundation
import Preferences
import Testing

/// A new suite, which is removed with its file when the value is released.
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
        // removePersistentDomain would announce a change to all other tests.
        let defaults = UserDefaults(suiteName: name)
        for key in contents.keys { defaults?.removeObject(forKey: key) }
        defaults?.synchronize()
        #if os(Linux)
            try? FileManager.default.removeItem(at: file)  // best effort: it may be missing
        #endif
    }

    /// The suite as `UserDefaults` shows it.
    func defaults() throws -> UserDefaults {
        try #require(UserDefaults(suiteName: name))
    }

    /// The stored values, without registered defaults.
    var contents: [String: Any] {
        UserDefaults.standard.persistentDomain(forName: name) ?? [:]
    }

    var file: URL {
        let environment = ProcessInfo.processInfo.environment
        let home = URL(filePath: environment["HOME"] ?? NSHomeDirectory())
        let folder = environment["XDG_CONFIG_HOME"].map { URL(filePath: $0) }
        return (folder ?? home.appending(path: ".config")).appending(path: "\(name).plist")
    }

    var reports: [PreferenceError] { reported.all }
}
