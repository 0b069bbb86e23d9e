import Foundation

#if canImport(os)
    import os
#endif

/// Where preferences are kept: a suite of `UserDefaults`, or memory.
///
/// Stores are values: any number of them on one suite share what is stored there.
///
/// On Linux a suite is the file `<suite>.plist` in `$XDG_CONFIG_HOME`, or else in `~/.config`. It is
/// written, and synced to the disk, before the setter of a preference returns; Foundation writes
/// it in place, so that a power failure within that moment can lose the suite.
public struct PreferenceStore: Sendable {
    let storage: any PreferenceStorage
    let report: @Sendable (PreferenceError) -> Void

    private init(
        storage: any PreferenceStorage,
        report: @escaping @Sendable (PreferenceError) -> Void = PreferenceStore.log
    ) {
        self.storage = storage
        self.report = report
    }

    /// The app's own preferences, those of `UserDefaults.standard`.
    public static let standard = PreferenceStore(storage: UserDefaultsStorage(suiteName: nil))

    /// A new, empty store that keeps its preferences in memory, for tests and previews.
    ///
    /// It touches neither the disk nor any `UserDefaults`, and lasts as long as its copies and
    /// the preferences in it.
    public static func inMemory() -> PreferenceStore {
        PreferenceStore(storage: MemoryStorage())
    }

    /// The preferences of a suite, such as the one that an app group shares.
    ///
    /// Nothing is created before a preference is set.
    ///
    /// - Parameter suiteName: The name as `UserDefaults(suiteName:)` takes it. Nil is returned
    ///   for a name that it refuses, and for one that is no file name of up to 249 bytes.
    public init?(suiteName: String) {
        let isFileName =
            (1...249).contains(suiteName.utf8.count)
            && !suiteName.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") })
        guard isFileName, UserDefaults(suiteName: suiteName) != nil else { return nil }
        self.init(storage: UserDefaultsStorage(suiteName: suiteName))
    }

    /// The same store, with another report.
    ///
    ///     let store = PreferenceStore.standard.reporting { error in print(error) }
    ///
    /// - Parameter report: Called with every error of a preference in the returned store, on the
    ///   thread that uses the preference. A bad value is reported once while it stays.
    /// - Returns: A store on the same preferences. Without this, errors go to the system's log,
    ///   on Linux to standard error.
    public func reporting(
        to report: @escaping @Sendable (PreferenceError) -> Void
    ) -> PreferenceStore {
        PreferenceStore(storage: storage, report: report)
    }

    private static func log(_ error: PreferenceError) {
        #if canImport(os)
            Logger(subsystem: "Preferences", category: "report")
                .error("\(error.description, privacy: .public)")
        #else
            FileHandle.standardError.write(Data("\(error)\n".utf8))
        #endif
    }
}
