import Foundation

/// Where a store keeps the values of its keys: `UserDefaults` or memory.
protocol PreferenceStorage: Sendable {
    /// Reads the stored values, unless that was done before.
    ///
    /// - Throws: Why it cannot be read; then each key has the value that this process set, or none.
    func load() throws

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
    /// - Throws: Why the change may not be on disk; it is made in this process nevertheless.
    func set(_ value: PropertyList?, forKey key: String) throws

    /// Makes a default visible to code that reads the key without this library.
    func register(_ value: PropertyList, forKey key: String)

    #if canImport(ObjectiveC)
        /// What tells of changes by other processes; nil if there are none.
        var observedDefaults: UserDefaults? { get }
    #endif
}
