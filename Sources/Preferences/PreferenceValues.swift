#if canImport(Combine)
    public import Combine
    import Foundation
#endif

/// The values of a preference over time; `$flag` of a ``Preference`` named `flag`.
///
/// Each iteration starts with the current value, and then has every change in this process, in
/// order, until its task is cancelled; values wait for a slow reader. Setting an equal value is no
/// change. Of changes at the same instant on several threads, the last one is sure to come.
///
/// A change past this library, by `UserDefaults` itself, is noticed at its
/// `didChangeNotification`. On Linux, which does not post it for a single key, it is noticed within
/// a quarter of a second; of several changes in that time, the last one comes.
public struct PreferenceValues<Value: Sendable>: AsyncSequence, Sendable {
    let live: LivePreference<Value>

    /// Starts with the current value.
    public func makeAsyncIterator() -> Iterator {
        Iterator(live: live, stored: live.makeStream().makeAsyncIterator())
    }

    /// The values of one iteration.
    public struct Iterator: AsyncIteratorProtocol {
        let live: LivePreference<Value>
        var stored: AsyncStream<PropertyList?>.Iterator

        /// Waits for the next value.
        ///
        /// - Parameter actor: The actor of the caller, on which it waits.
        /// - Returns: The value, or nil if the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> Value? {
            await stored.next(isolation: actor).map(live.decode)
        }
    }
}

#if canImport(Combine)
    extension PreferenceValues {
        /// The values as a publisher: the current one at once, then every change.
        ///
        /// A value comes on the thread that changes the preference.
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
