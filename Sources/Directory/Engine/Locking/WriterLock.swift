import Foundation
import Synchronization

/// A value that one thread at a time has for itself, between two calls instead of in a closure.
///
/// So a call can hold the locks of any number of collections. The thread that takes the value gives it back.
final class WriterLock<Value: Sendable>: Sendable {
    private let lock = NSLock()
    private let value: Mutex<Value>
    /// What is in the place of the value while a thread has it: to move a value takes less time than to copy it.
    private let initial: Value

    init(_ value: Value) {
        self.value = Mutex(value)
        initial = value
    }

    /// Takes the value; waits while another thread has it.
    func take() -> Value {
        lock.lock()
        return value.withLock { exchange(&$0, with: initial) }
    }

    /// Takes the value; nil if another thread has it for longer than `patience`.
    func take(within patience: Duration) -> Value? {
        let limit = Date(timeIntervalSinceNow: patience / .seconds(1))
        guard lock.lock(before: limit) else { return nil }
        return value.withLock { exchange(&$0, with: initial) }
    }

    /// Gives the value back for the next thread; `taken` becomes the initial value.
    func release(_ taken: inout Value) {
        value.withLock { swap(&$0, &taken) }
        lock.unlock()
    }

    /// The value while no thread has it; waits for that.
    func read() -> Value {
        var taken = take()
        defer { release(&taken) }
        return taken
    }
}
