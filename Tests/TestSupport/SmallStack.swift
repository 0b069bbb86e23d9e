import Foundation
import Synchronization

/// Calls `body` on a new thread with a stack of `size` KiB.
public func withStack(ofKiB size: Int, _ body: @escaping @Sendable () throws -> Void) throws {
    let outcome = Outcome()
    let thread = Thread { outcome.set(Result { try body() }) }
    thread.stackSize = size << 10
    thread.start()
    try outcome.wait().get()
}

/// The result of a thread, which another one waits for.
private final class Outcome: Sendable {
    private let result = Mutex<Result<Void, any Error>?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    func set(_ result: Result<Void, any Error>) {
        self.result.withLock { $0 = result }
        isSet.signal()
    }

    func wait() -> Result<Void, any Error> {
        isSet.wait()
        return result.withLock { $0 } ?? .success(())
    }
}
