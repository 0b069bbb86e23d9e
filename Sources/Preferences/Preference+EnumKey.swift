extension Preference {
    /// Makes a preference that always has a value, and whose key is a case of an enum.
    ///
    ///     enum Key: String { case flag }
    ///     @Preference(Key.flag) var flag = true
    ///
    /// - Parameters:
    ///   - wrappedValue: The default. It is registered for the key in this process.
    ///   - key: A value whose raw value is the key in the store.
    ///   - store: The store that keeps the value.
    public init(
        wrappedValue: Value, _ key: some RawRepresentable<String>,
        store: PreferenceStore = .standard
    ) where Value: PreferenceValue {
        self.init(wrappedValue: wrappedValue, key.rawValue, store: store)
    }

    /// Makes a preference that may have no value, and whose key is a case of an enum.
    ///
    ///     enum Key: String { case date }
    ///     @Preference(Key.date) var date: Date?
    ///
    /// - Parameters:
    ///   - wrappedValue: The default. Unless it is nil, it is registered for the key in this
    ///     process, and it applies again after nil was set.
    ///   - key: A value whose raw value is the key in the store.
    ///   - store: The store that keeps the value.
    public init<Wrapped: PreferenceValue>(
        wrappedValue: Wrapped? = nil, _ key: some RawRepresentable<String>,
        store: PreferenceStore = .standard
    ) where Value == Wrapped? {
        self.init(wrappedValue: wrappedValue, key.rawValue, store: store)
    }
}
