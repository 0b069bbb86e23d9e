import Foundation
import Synchronization

/// A value that one thread at a time has for itself, between two calls instead of in a closure.
///
/// So a call can hold the locks of any number of collections. The thread that takes the value gives it back.
final class WriterLock<Value: Sendable>: Sendable {
    private let lock = NSLock()
    private let value: Mutex<Value>

    init(_ value: sending Value) { self.value = Mutex(value) }

    /// Takes the value; waits while another thread has it.
    func take() -> Value {
        lock.lock()
        return value.withLock { $0 }
    }

    /// Takes the value; nil if another thread has it for longer than `patience`.
    func take(within patience: Duration) -> Value? {
        let limit = Date(timeIntervalSinceNow: patience / .seconds(1))
        guard lock.lock(before: limit) else { return nil }
        return value.withLock { $0 }
    }

    /// Gives the value back for the next thread.
    func release(_ new: Value) {
        value.withLock { $0 = new }
        lock.unlock()
    }

    /// The value while no thread has it; waits for that.
    func read() -> Value {
        let value = take()
        lock.unlock()
        return value
    }
}
