extension Directory {
    /// The changes of a collection, from the call of ``Directory/changes`` on.
    ///
    /// Each change begins from the items at which the one before it ended. A slow consumer gets the commits of the
    /// meantime as one change, so nothing is left out and nothing piles up. In such a change, an item that was added
    /// and removed meanwhile is missing, and an item that was removed and added again is updated or not changed.
    ///
    /// For example, to keep rows that the user sees:
    ///
    ///     let changes = notes.changes
    ///     var rows = changes.items.map(\.id)
    ///     for await change in changes {
    ///         rows = rows.applying(change.difference()) ?? change.after.map(\.id)
    ///     }
    ///
    /// The sequence ends when the collection is closed, and soon after the last `Directory` value of the index is
    /// released; earlier changes are still delivered. A task that is cancelled while it waits gets no more changes.
    ///
    /// Several iterators are independent: each one gets all changes.
    public struct Changes: AsyncSequence, Sendable {
        private let subscription: ChangeSubscription

        init(_ subscription: ChangeSubscription) { self.subscription = subscription }

        /// The items that the first change begins from.
        public var items: Items { Items(subscription.elements) }

        /// An iterator that begins with the first change after ``items``.
        public func makeAsyncIterator() -> Iterator {
            Iterator(subscription.streams.subscribe(from: subscription))
        }
    }
}

extension Directory.Changes {
    /// Waits for changes, and returns them merged.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscription: ChangeSubscription
        private var signals: AsyncStream<Void>.Iterator

        init(_ subscription: ChangeSubscription) {
            self.subscription = subscription
            signals = subscription.signals.makeAsyncIterator()
        }

        /// Returns all changes since the last call as one change; waits until there is one, and
        /// returns nil at the end.
        public mutating func next() async -> Directory.Change? {
            await next(isolation: nil)
        }

        /// Returns all changes since the last call as one change; waits until there is one, and
        /// returns nil at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> Directory.Change? {
            while true {
                if let change = subscription.take() { return Directory.Change(change) }
                // The last changes can come together with the end.
                guard await signals.next(isolation: actor) != nil else {
                    return subscription.take().map(Directory.Change.init)
                }
            }
        }
    }
}
