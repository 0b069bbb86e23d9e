public import Foundation

#if canImport(os)
    import os
#else
    import FileSystem
#endif

/// A place that keeps preferences: a suite of `UserDefaults`, or memory.
///
///     let store = PreferenceStore(suiteName: "group.com.example") ?? .standard
///     @Preference("flag", store: store) var flag = true
///
/// All stores of one suite, and all copies of a store, share their preferences.
///
/// On Linux a suite is the file `<suite>.plist` in `$XDG_CONFIG_HOME`, by default `~/.config`, where
/// `~` is `$HOME`, or the home folder in the user database if that is not set. Without `$HOME`,
/// `UserDefaults` would use another file, so its values are others. The setter of a preference reads
/// the file, and replaces it by a new one, which is synced when the setter returns. After a crash the
/// file is the old one or the new one. A file that cannot be read, or is damaged, stays as it is, byte
/// for byte.
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

    /// The preferences of the app, which `UserDefaults.standard` keeps.
    public static let standard = PreferenceStore(storage: UserDefaultsStorage(suiteName: nil))

    /// Makes a new, empty store that keeps its preferences in memory, for tests and previews.
    ///
    /// The store uses neither the disk nor any `UserDefaults`. Its values last as long as a copy
    /// of it or a preference in it.
    public static func inMemory() -> PreferenceStore {
        PreferenceStore(storage: MemoryStorage())
    }

    /// Makes the store of a suite, such as the one that an app group shares.
    ///
    /// Nothing is created on disk before a preference is set.
    ///
    /// - Parameter suiteName: The name of the suite, 1 to 249 bytes without `/` and NUL. For any
    ///   other name, and for one that `UserDefaults(suiteName:)` refuses, the result is nil.
    public init?(suiteName: String) {
        let isFileName =
            (1...249).contains(suiteName.utf8.count)
            && !suiteName.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") })
        guard isFileName, UserDefaults(suiteName: suiteName) != nil else { return nil }
        self.init(storage: UserDefaultsStorage(suiteName: suiteName))
    }

    /// Makes the store of a given `UserDefaults`, such as one that a test or another library made.
    ///
    ///     let store = PreferenceStore(UserDefaults(suiteName: "test") ?? .standard)
    ///
    /// A default that other code registered for a key counts as stored. The defaults of preferences in
    /// this store are not registered. On Linux use ``init(suiteName:)`` if you can: with this initializer,
    /// Foundation keeps the file, and takes a file that it cannot read for an empty one.
    ///
    /// - Parameter defaults: The defaults; the expression is evaluated at each use.
    public init(_ defaults: @autoclosure @escaping @Sendable () -> UserDefaults) {
        self.init(storage: WrappedDefaults(defaults: defaults))
    }

    /// Returns a store of the same preferences that passes its errors to `report`.
    ///
    ///     let store = PreferenceStore.standard.reporting { error in print(error) }
    ///
    /// Any other store writes its errors to the system's log, on Linux to standard error.
    ///
    /// - Parameter report: Called with each error of a preference in the returned store, on the
    ///   thread that uses the preference. A value that is unreadable, or partly, is reported
    ///   once, until another value is stored.
    /// - Returns: The store.
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
            StandardError.write("\(error)\n")
        #endif
    }
}
