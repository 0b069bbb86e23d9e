import Synchronization

/// What a store does with the values of its keys; `UserDefaults` does it, and memory.
protocol PreferenceStorage: Sendable {
    /// The value that is stored for the key, or else registered for it, or else nil.
    ///
    /// `ownDefault` is what the caller registered; what others did is no value for it.
    func value(forKey key: String, ownDefault: PropertyList?) -> PropertyList?

    /// Stores a value, or removes the key; false if it is not saved.
    func set(_ value: PropertyList?, forKey key: String) -> Bool

    /// Lets readers that know no default find this one.
    func register(_ value: PropertyList, forKey key: String)
}

final class MemoryStorage: PreferenceStorage {
    private let values = Mutex<[String: PropertyList]>([:])

    func value(forKey key: String, ownDefault: PropertyList?) -> PropertyList? {
        values.withLock { $0[key] }
    }

    func set(_ value: PropertyList?, forKey key: String) -> Bool {
        values.withLock { $0[key] = value }
        return true
    }

    func register(_ value: PropertyList, forKey key: String) {}
}
