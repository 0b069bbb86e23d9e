/// Where a store keeps the values of its keys: `UserDefaults` or memory.
protocol PreferenceStorage: Sendable {
    /// Reads the value of a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - ownDefault: The default that the caller registered, if any.
    /// - Returns: The stored value; if there is none, nil or `ownDefault`, but never a default
    ///   that another preference registered for the key.
    func value(forKey key: String, ownDefault: PropertyList?) -> PropertyList?

    /// Stores a value, or removes the key if the value is nil.
    ///
    /// - Returns: False if the change may not be on disk.
    func set(_ value: PropertyList?, forKey key: String) -> Bool

    /// Makes a default visible to code that reads the key without this library.
    func register(_ value: PropertyList, forKey key: String)
}
