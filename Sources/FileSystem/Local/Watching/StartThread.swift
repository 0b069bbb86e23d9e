import Foundation

/// Calls `body` on a thread of its own, which may wait for long.
func startThread(_ body: @escaping @Sendable () -> Void) { Thread.detachNewThread(body) }
