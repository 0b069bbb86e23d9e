import Dispatch
import Foundation

/// Makes Ctrl-C call a closure instead of ending the process, until it is finished.
struct Interrupt {
    private let source: any DispatchSourceSignal

    /// Calls `handler` on a global queue each time SIGINT arrives.
    init(_ handler: @escaping @Sendable () -> Void) {
        // The source receives ignored signals as well.
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
