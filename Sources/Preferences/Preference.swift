/// A property whose value is kept in `UserDefaults`, or in memory.
///
///     struct Settings: Sendable {
///         @Preference("flag") var flag = true
///         @Preference("date") var date: Date?
///     }
///     let settings = Settings()
///     settings.flag = false
///     for await flag in settings.$flag { print(flag) }
///
/// Behaviour:
///
/// - Reading returns the stored value, or the default if nothing is stored; it never fails. If the
///   stored value cannot be read as the property's type, reading returns the default, the stored
///   value stays, and the store reports ``PreferenceError/Code/unreadable``. Of a collection,
///   elements that cannot be read are left out, and the store reports
///   ``PreferenceError/Code/partlyUnreadable``.
/// - A value is stored when the setter returns; on Linux it is also saved to disk. If it cannot be
///   stored, the preference stays as it was, and the store reports
///   ``PreferenceError/Code/unwritable``. If it cannot be saved to disk, the store reports
///   ``PreferenceError/Code/unsaved``.
/// - Setting nil removes the key, and the default applies again.
/// - The default is registered with `UserDefaults`, and never stored.
/// - A SwiftUI view, or `withObservationTracking`, that reads the property is notified when it
///   changes. In an `@Observable` class, write `@ObservationIgnored` before the property.
/// - All copies are the same preference, and any thread may use them. `+=` reads and then sets;
///   another thread may set the preference in between.
@propertyWrapper
public struct Preference<Value: Sendable>: Sendable {
    private let live: LivePreference<Value>

    /// Makes a preference that always has a value.
    ///
    ///     @Preference("flag") var flag = true
    ///
    /// - Parameters:
    ///   - wrappedValue: The default. It is registered for the key in this process.
    ///   - key: The key in the store.
    ///   - store: The store that keeps the value.
    public init(wrappedValue: Value, _ key: String, store: PreferenceStore = .standard)
    where Value: PreferenceValue {
        live = LivePreference(key: key, store: store, default: wrappedValue, coding: .value)
    }

    /// Makes a preference that may have no value.
    ///
    ///     @Preference("date") var date: Date?
    ///
    /// - Parameters:
    ///   - wrappedValue: The default. Unless it is nil, it is registered for the key in this
    ///     process, and it applies again after nil was set.
    ///   - key: The key in the store.
    ///   - store: The store that keeps the value.
    public init<Wrapped: PreferenceValue>(
        wrappedValue: Wrapped? = nil, _ key: String, store: PreferenceStore = .standard
    ) where Value == Wrapped? {
        live = LivePreference(key: key, store: store, default: wrappedValue, coding: .optional())
    }

    /// The stored value, or the default if nothing is stored.
    ///
    /// When the setter returns, the value is stored and all observers are notified. If it cannot
    /// be stored, the preference stays as it was. Errors go to the report of the store; their
    /// codes are `unreadable` and `partlyUnreadable` when the value is read, `unwritable` and
    /// `unsaved` when it is set.
    public var wrappedValue: Value {
        get { live.value }
        nonmutating set { live.value = newValue }
    }

    /// The values over time: first the current one, then each change.
    public var projectedValue: PreferenceValues<Value> {
        PreferenceValues(live: live)
    }
}

extension Preference: Equatable where Value: Equatable {
    /// Whether both have the same value now; their keys and stores may differ.
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
