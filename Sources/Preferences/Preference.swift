/// A property that is kept in `UserDefaults`, or in memory.
///
///     struct Settings: Sendable {
///         @Preference("flag") var flag = true
///         @Preference("date") var date: Date?
///     }
///     let settings = Settings()
///     settings.flag = false
///     for await flag in settings.$flag { print(flag) }
///
/// - Reading gives what is stored, or else the default; it never fails. A stored value of another
///   type stays stored, gives the default, and is reported to the store.
/// - Setting stores the value, and on Linux saves it to the disk, before it returns.
/// - Setting nil removes the key, so that the default comes back.
/// - The default is registered with `UserDefaults`, and never stored.
/// - Observation sees the property: a SwiftUI view, or `withObservationTracking`, that reads it is
///   told when it changes. In an `@Observable` class, put `@ObservationIgnored` before it.
/// - Copies are the same preference, and any thread may use it. Reading and then setting, as
///   `+=` does, is two steps.
@propertyWrapper
public struct Preference<Value: Sendable>: Sendable {
    private let live: LivePreference<Value>

    /// Makes a preference that always has a value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The default. It is registered for the key in this process.
    ///   - key: The key in the store.
    ///   - store: Where the value is kept.
    public init(wrappedValue: Value, _ key: String, store: PreferenceStore = .standard)
    where Value: PreferenceValue {
        live = LivePreference(key: key, store: store, default: wrappedValue, coding: .value)
    }

    /// Makes a preference that may have no value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The default. Unless nil, it is registered for the key in this process,
    ///     and is the value again after nil was set.
    ///   - key: The key in the store.
    ///   - store: Where the value is kept.
    public init<Wrapped: PreferenceValue>(
        wrappedValue: Wrapped? = nil, _ key: String, store: PreferenceStore = .standard
    ) where Value == Wrapped? {
        live = LivePreference(key: key, store: store, default: wrappedValue, coding: .optional())
    }

    /// The value that is stored, or else the default.
    ///
    /// A value that is set is stored, and on its way to all observers, when the setter returns.
    /// If it cannot be stored, the preference stays as it was, and the store's report says so.
    public var wrappedValue: Value {
        get { live.value }
        nonmutating set { live.value = newValue }
    }

    /// The values over time: the current one at once, then every change.
    public var projectedValue: PreferenceValues<Value> {
        PreferenceValues(live: live)
    }
}

extension Preference: Equatable where Value: Equatable {
    /// Whether both have the same value now, whatever their keys and stores.
    public static func == (lhs: Preference, rhs: Preference) -> Bool {
        lhs.wrappedValue == rhs.wrappedValue
    }
}

extension Preference: Hashable where Value: Hashable {
    /// Hashes the value that the preference has now.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(wrappedValue)
    }
}
