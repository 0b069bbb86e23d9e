import Foundation
import Observation
import Synchronization

/// One key of one store, with the value that was last announced to its observers.
///
/// A class, because all copies of a ``Preference`` are the same preference. Its lock is not held
/// while code of the caller runs: code that decodes, encodes, takes reports or observes.
final class LivePreference<Value: Sendable>: Sendable {
    typealias Continuation = AsyncStream<PropertyList?>.Continuation

    struct State {
        /// The stored value that observers know; nil before the first look at the store.
        var known: PropertyList??
        /// The number of the read that found the known value.
        var lastRead = 0
        /// Whether a report said that the known value, or a part of it, is unreadable.
        var isReported = false
        /// Whether a report said that the store cannot be read.
        var isStoreReported = false
        var streams: [UUID: Continuation] = [:]
        var observer: ChangeObserver?
    }

    let key: String
    let store: PreferenceStore
    private let defaultValue: Value
    private let registeredDefault: PropertyList?
    private let coding: PreferenceCoding<Value>
    private let registrar = ObservationRegistrar()
    let state = Mutex(State())
    /// How many reads of the store have begun.
    private let reads = Atomic(0)

    init(key: String, store: PreferenceStore, default value: Value, coding: PreferenceCoding<Value>)
    {
        self.key = key
        self.store = store
        self.coding = coding
        defaultValue = value
        do {
            registeredDefault = try coding.encode(value)
        } catch {
            registeredDefault = nil
            report(.unwritable, error)
        }
        if let registeredDefault { store.storage.register(registeredDefault, forKey: key) }
        let observer = ChangeObserver(key: key, in: store.storage) { [weak self] in
            _ = self?.refresh()
        }
        state.withLock { $0.observer = observer }
    }

    /// The value; a new value is stored and announced when the setter returns.
    var value: Value {
        get {
            registrar.access(self, keyPath: \.value)
            load()
            return decode(refresh())
        }
        set {
            do {
                save(try coding.encode(newValue))
            } catch {
                report(.unwritable, error)
            }
        }
    }

    private func save(_ stored: PropertyList?) {
        defer { NotificationCenter.default.post(name: .preferenceDidChange(key), object: nil) }
        do {
            try store.storage.set(stored, forKey: key)
        } catch {
            report(.unsaved, error)
        }
    }

    /// Reads the value from the store, and tells the observers if they know another value.
    ///
    /// The store is read without the lock: meanwhile `UserDefaults` may call observers, which call this again.
    func refresh() -> PropertyList? {
        let number = reads.add(1, ordering: .acquiringAndReleasing).newValue
        let read = store.storage.value(forKey: key, ownDefault: registeredDefault)
        let (stored, isNew) = state.withLock { state in
            // The read that began last counts. If it ended first, a later notification brings the newest value.
            let stored = number > state.lastRead ? read : state.known ?? read
            state.lastRead = max(number, state.lastRead)
            guard state.known != .some(stored) else { return (stored, false) }
            let isNew = state.known != nil
            state.known = .some(stored)
            state.isReported = false
            for stream in state.streams.values { stream.yield(stored) }
            return (stored, isNew)
        }
        if isNew { registrar.withMutation(of: self, keyPath: \.value) {} }
        return stored
    }

    /// Reads the store; if that fails, reports it once.
    func load() {
        do {
            try store.storage.load()
            state.withLock { $0.isStoreReported = false }
        } catch {
            let isFirst = state.withLock { state in
                defer { state.isStoreReported = true }
                return !state.isStoreReported
            }
            if isFirst { report(.unreadable, error) }
        }
    }

    /// Decodes a stored value; if that fails, reports it once and returns the default.
    func decode(_ stored: PropertyList?) -> Value {
        guard let stored else { return defaultValue }
        do {
            var dropped: [any Error] = []
            let value = try coding.decode(stored) { dropped.append($0) }
            if let error = dropped.first { reportOnce(.partlyUnreadable, error) }
            return value
        } catch {
            reportOnce(.unreadable, error)
            return defaultValue
        }
    }

    /// Reports an error of the stored value, unless that was done before.
    private func reportOnce(_ code: PreferenceError.Code, _ error: any Error) {
        let isFirst = state.withLock { state in
            defer { state.isReported = true }
            return !state.isReported
        }
        if isFirst { report(code, error) }
    }

    private func report(_ code: PreferenceError.Code, _ error: (any Error)?) {
        store.report(PreferenceError(code: code, key: key, underlyingError: error))
    }
}

extension LivePreference: Observable {}
