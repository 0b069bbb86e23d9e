import Dispatch
import Foundation

/// Turns Ctrl-C into a call, instead of the end of the process, until it is finished.
struct Interrupt {
    private let source: any DispatchSourceSignal

    /// Calls `handler`, on a queue, whenever SIGINT arrives.
    init(_ handler: @escaping @Sendable () -> Void) {
        // The source hears a signal that is ignored as well.
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler(handler: handler)
        source.resume()
    }

    /// Lets Ctrl-C end the process again.
    func finish() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
