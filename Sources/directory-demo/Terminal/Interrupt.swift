import Dispatch
import Foundation
import Synchronization

/// Ctrl-C and SIGTERM while a command does what can be cancelled.
enum Interrupt {
    private static let last = Atomic<Int32>(SIGINT)

    /// The exit status of a command that the last signal cancelled.
    static var code: Failure.Code {
        last.load(ordering: .relaxed) == SIGTERM ? .terminated : .cancelled
    }

    /// Runs `body` in a task that the first signal cancels; a second one ends the process.
    static func cancelling<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task(operation: body)
        let signals = [SIGINT, SIGTERM]
        let sources = signals.map { number in
            // The source receives ignored signals as well.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                last.store(number, ordering: .relaxed)
                task.cancel()
                signal(number, SIG_DFL)
            }
            source.resume()
            return source
        }
        defer {
            sources.forEach { $0.cancel() }
            signals.forEach { signal($0, SIG_DFL) }
        }
        return try await task.value
    }
}
