#if canImport(Combine)
    public import Combine
    import Foundation
#endif
#if canImport(SwiftUI)
    public import SwiftUI
#endif

/// The values of a preference over time: `$flag` of a ``Preference`` named `flag`.
///
///     for await flag in settings.$flag { print(flag) }
///
/// An iteration starts with the current value. It then has each change in this process, in order,
/// until its task is cancelled. Values that the reader has not taken yet are buffered. Setting an
/// equal value is not a change. If several threads set the preference at the same moment, an
/// iteration can miss some of these values, but not the last one.
///
/// A change that is made with `UserDefaults` directly is seen when its `didChangeNotification` is
/// posted. A change of another process is seen when key-value observing reports it; if the key has a `.`
/// or `@`, it is seen when the preference is read next. Linux has neither for a single key: there an
/// iteration sees a direct change within 0.25 seconds, and of several changes in that time only the last one.
public struct PreferenceValues<Value: Sendable>: AsyncSequence, Sendable {
    let live: LivePreference<Value>

    /// Starts an iteration, whose first value is the current one.
    public func makeAsyncIterator() -> Iterator {
        Iterator(live: live, stored: live.makeStream().makeAsyncIterator())
    }

    /// The values of one iteration.
    public struct Iterator: AsyncIteratorProtocol {
        let live: LivePreference<Value>
        var stored: AsyncStream<PropertyList?>.Iterator

        /// Waits for the next value; at first it is there at once.
        ///
        /// - Parameter actor: The actor of the caller, on which the call runs.
        /// - Returns: The value, or nil if the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> Value? {
            await stored.next(isolation: actor).map(live.decode)
        }
    }
}

#if canImport(SwiftUI)
    extension PreferenceValues {
        /// A binding to the preference, for a control that changes it.
        ///
        ///     Toggle("Flag", isOn: settings.$flag.binding)
        public var binding: Binding<Value> {
            let live = live
            return Binding(get: { live.value }, set: { live.value = $0 })
        }
    }
#endif

#if canImport(Combine)
    extension PreferenceValues {
        /// A publisher of the values: first the current one, then each change.
        ///
        /// Values are delivered on the thread that changes the preference.
        public var publisher: AnyPublisher<Value, Never> {
            let live = live
            let center = NotificationCenter.default
            return center.publisher(for: .preferenceDidChange(live.key))
                .merge(with: center.publisher(for: UserDefaults.didChangeNotification))
                .map { _ in }
                .merge(with: Just(()))
                .map { _ in live.refresh() }
                .removeDuplicates()
                .map { live.decode($0) }
                .eraseToAnyPublisher()
        }
    }
#endif
