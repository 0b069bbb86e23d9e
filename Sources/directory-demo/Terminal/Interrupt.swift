import Dispatch
import Foundation
import Synchronization

/// Makes Ctrl-C and SIGTERM call a closure instead of ending the process, until it is finished.
struct Interrupt {
    private static let signals = [SIGINT, SIGTERM]
    private static let last = Atomic<Int32>(SIGINT)

    private let sources: [any DispatchSourceSignal]

    /// The exit status of a command that the last signal cancelled.
    static var code: Failure.Code {
        last.load(ordering: .relaxed) == SIGTERM ? .terminated : .cancelled
    }

    /// Calls `handler` on a global queue each time one of the signals arrives.
    init(_ handler: @escaping @Sendable () -> Void) {
        sources = Self.signals.map { number in
            // The source receives ignored signals as well.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                Self.last.store(number, ordering: .relaxed)
                handler()
            }
            source.resume()
            return source
        }
    }

    /// Lets the signals end the process again.
    func finish() {
        sources.forEach { $0.cancel() }
        Self.signals.forEach { signal($0, SIG_DFL) }
    }
}
