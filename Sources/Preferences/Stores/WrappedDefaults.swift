import Foundation

/// A `UserDefaults` that the caller gives.
///
/// The closure is called at each use, because `UserDefaults` is not `Sendable` on every system.
struct WrappedDefaults: PreferenceStorage {
    let defaults: @Sendable () -> UserDefaults

    func load() {}

    func value(forKey key: String, ownDefault: PropertyList?) -> PropertyList? {
        defaults().object(forKey: key).flatMap(PropertyList.init)
    }

    func set(_ value: PropertyList?, forKey key: String) {
        let defaults = defaults()
        defaults.set(value?.object, forKey: key)
        #if !canImport(ObjectiveC)
            // Else other `UserDefaults` of the same suite do not see the value.
            defaults.synchronize()
        #endif
    }

    /// Registers nothing: a default would apply to all suites of the process.
    func register(_ value: PropertyList, forKey key: String) {}

    #if canImport(ObjectiveC)
        var observedDefaults: UserDefaults? { defaults() }
    #endif
}
