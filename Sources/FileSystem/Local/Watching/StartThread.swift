import Foundation

/// Calls `body`, which may wait for a long time, on a new thread.
func startThread(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }
