extension Preference {
    /// Makes a preference that always has a value, with a case of an enum for its key.
    ///
    ///     enum Key: String { case flag }
    ///     @Preference(Key.flag) var flag = true
    ///
    /// - Parameters:
    ///   - wrappedValue: The default. It is registered for the key in this process.
    ///   - key: A value whose raw value is the key in the store.
    ///   - store: Where the value is kept.
    public init(
        wrappedValue: Value, _ key: some RawRepresentable<String>,
        store: PreferenceStore = .standard
    ) where Value: PreferenceValue {
        self.init(wrappedValue: wrappedValue, key.rawValue, store: store)
    }

    /// Makes a preference that may have no value, with a case of an enum for its key.
    ///
    /// - Parameters:
    ///   - wrappedValue: The default. Unless nil, it is registered for the key in this process,
    ///     and is the value again after nil was set.
    ///   - key: A value whose raw value is the key in the store.
    ///   - store: Where the value is kept.
    public init<Wrapped: PreferenceValue>(
        wrappedValue: Wrapped? = nil, _ key: some RawRepresentable<String>,
        store: PreferenceStore = .standard
    ) where Value == Wrapped? {
        self.init(wrappedValue: wrappedValue, key.rawValue, store: store)
    }
}
