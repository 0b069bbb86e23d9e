import Foundation

/// A `UserDefaults` that the caller gives.
///
/// It is asked for at each use, because `UserDefaults` is not `Sendable` everywhere.
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
            // Else other objects for the suite do not see it.
            defaults.synchronize()
        #endif
    }

    /// Registers nothing: a default would apply to all suites of the process.
    func register(_ value: PropertyList, forKey key: String) {}

    #if canImport(ObjectiveC)
        var observedDefaults: UserDefaults? { defaults() }
    #endif
}
