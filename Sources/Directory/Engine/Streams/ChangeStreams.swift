import Synchronization

/// The consumers of the changes of a collection.
///
/// The changes that a consumer has not received yet are merged into one. So a slow consumer costs
/// little, and a stopped one costs no more than the elements at both ends of its change.
final class ChangeStreams: Sendable {
    private struct Stream {
        /// The elements as its consumer knows them.
        var elements: Elements
        var waiting: MergedChanges?
        /// Wakes the consumer.
        let signal: AsyncStream<Void>.Continuation

        mutating func add(_ change: ElementChange) {
            if waiting == nil { waiting = MergedChanges(change) } else { waiting?.add(change) }
        }
    }

    private struct State {
        /// The elements after the newest change.
        var elements = Elements()
        var streams: [Int: Stream] = [:]
        var lastNumber = 0
        var isFinished = false
    }

    private let state = Mutex(State())
}

extension ChangeStreams {
    /// Hands `changes`, which are visible already, to the consumers.
    func publish(_ changes: [ElementChange]) {
        guard let elements = changes.last?.after else { return }
        let signals: [AsyncStream<Void>.Continuation] = state.withLock { state in
            state.elements = elements
            if state.streams.isEmpty { return [] }
            // Not the keys themselves, which would share the streams, so that each change copied them.
            for number in Array(state.streams.keys) {
                for change in changes { state.streams[number]?.add(change) }
            }
            return state.streams.values.map { $0.signal }
        }
        for signal in signals { signal.yield() }
    }

    /// Ends all streams, also later ones; consumers still receive the waiting changes.
    func finish() {
        let signals = state.withLock { state in
            state.isFinished = true
            return state.streams.values.map { $0.signal }
        }
        for signal in signals { signal.finish() }
    }

    /// A stream of the changes from now on; with `other`, it begins with the waiting change of that
    /// stream.
    func subscribe(from other: ChangeSubscription? = nil) -> ChangeSubscription {
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (number, elements, isFinished) = state.withLock { state in
            let stream = other.flatMap { state.streams[$0.number] }
            let elements = stream?.elements ?? state.elements
            state.lastNumber += 1
            state.streams[state.lastNumber] = Stream(
                elements: elements, waiting: stream?.waiting, signal: signal)
            return (state.lastNumber, elements, state.isFinished)
        }
        if isFinished { signal.finish() }
        return ChangeSubscription(number, of: self, elements: elements, signals: signals)
    }

    /// Takes the waiting change of the consumer with `number`; nil if there is none.
    fileprivate func take(_ number: Int) -> ElementChange? {
        let waiting = state.withLock { state in
            defer { state.streams[number]?.waiting = nil }
            return state.streams[number]?.waiting
        }
        guard let change = waiting?.change else { return nil }
        return change.isEmpty ? nil : change
    }

    fileprivate func remove(_ number: Int) {
        state.withLock { _ = $0.streams.removeValue(forKey: number) }
    }
}

/// One stream of changes, which ends when this is released.
final class ChangeSubscription: Sendable {
    fileprivate let number: Int
    let streams: ChangeStreams
    /// The elements that the first change begins from.
    let elements: Elements
    /// Has an element if changes may wait; ends with the stream.
    let signals: AsyncStream<Void>

    fileprivate init(
        _ number: Int, of streams: ChangeStreams, elements: Elements,
        signals: AsyncStream<Void>
    ) {
        self.number = number
        self.streams = streams
        self.elements = elements
        self.signals = signals
    }

    deinit { streams.remove(number) }

    /// Takes the change that was not received yet; nil if there is none.
    func take() -> ElementChange? { streams.take(number) }
}
