import Foundation

/// Calls `body` on a thread of its own.
///
/// - Parameters:
///   - name: The name of the thread, as debuggers show it: at most 15 bytes.
///   - body: What to call.
func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
        Thread.current.name = name
        body()
    }
}
