import Foundation

/// The place in which a store keeps the values of its keys: `UserDefaults` or memory.
protocol PreferenceStorage: Sendable {
    /// Reads the stored values, unless that was done before.
    ///
    /// - Throws: The reason if they cannot be read. Then a key has a value only if this process set it.
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
    /// - Throws: The reason if the change may not be on disk. This process has the change nevertheless.
    func set(_ value: PropertyList?, forKey key: String) throws

    /// Makes a default visible to code that reads the key without this library.
    func register(_ value: PropertyList, forKey key: String)

    #if canImport(ObjectiveC)
        /// The defaults to observe for changes by other processes; nil if no process can make any.
        var observedDefaults: UserDefaults? { get }
    #endif
}
