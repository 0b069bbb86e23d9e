import FileSystem
import Foundation
import Synchronization

/// A suite of `UserDefaults`.
///
/// It is kept by name, because `UserDefaults` is not `Sendable` on Linux.
struct UserDefaultsStorage: PreferenceStorage {
    /// The suite, or nil for `UserDefaults.standard`.
    let suiteName: String?

    /// The defaults that this library registered; they apply to all suites of the process.
    ///
    /// On Linux the lock also keeps reads and registrations apart: a registration changes a global
    /// variable of Foundation that has no lock.
    private static let registered = Mutex<[String: PropertyList]>([:])

    var defaults: UserDefaults {
        suiteName.flatMap { UserDefaults(suiteName: $0) } ?? .standard
    }

    var domainName: String {
        suiteName ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    }

    func value(forKey key: String, ownDefault: PropertyList?) -> PropertyList? {
        #if !canImport(ObjectiveC)
            if let value = ownValue(forKey: key) { return value }
        #endif
        #if canImport(ObjectiveC)
            // Outside the lock, because it can call observers, which may read a preference.
            let value = defaults.object(forKey: key).flatMap(PropertyList.init)
            let registered = Self.registered.withLock { $0[key] }
        #else
            let (value, registered) = Self.registered.withLock { registered in
                (defaults.object(forKey: key).flatMap(PropertyList.init), registered[key])
            }
        #endif
        guard let value, value == registered, registered != ownDefault else { return value }
        // The value may be the default of another preference, so look at the stored values alone.
        let domain = defaults.persistentDomain(forName: domainName)
        return domain?[key].flatMap(PropertyList.init)
    }

    #if canImport(ObjectiveC)
        var observedDefaults: UserDefaults? { defaults }

        func load() {}

        func set(_ value: PropertyList?, forKey key: String) {
            defaults.set(value?.object, forKey: key)
        }
    #endif

    func register(_ value: PropertyList, forKey key: String) {
        #if canImport(ObjectiveC)
            let isNew = Self.registered.withLock { $0.updateValue(value, forKey: key) != value }
            // Outside the lock, because it can call observers, which may read a preference.
            if isNew { defaults.register(defaults: [key: value.object]) }
        #else
            // Else Foundation can trap, and other code reads other values.
            guard UserFolder.isConfigurationKnownToFoundation else { return }
            Self.registered.withLock { registered in
                guard registered.updateValue(value, forKey: key) != value else { return }
                defaults.register(defaults: [key: value.object])
            }
        #endif
    }
}
