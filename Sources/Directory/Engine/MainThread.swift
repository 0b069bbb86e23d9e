import Foundation

/// The thread on which SwiftUI expects to be told of changes, and on which views are changed.
enum MainThread {
    /// Calls `body` on the main thread: before this returns if this is that thread, else soon.
    ///
    /// - Parameters:
    ///   - isHere: Whether this is the main thread.
    ///   - queue: The queue whose work is done on the main thread.
    ///   - body: What to do there.
    static func run(
        isHere: Bool = Thread.isMainThread, on queue: DispatchQueue = .main,
        _ body: @escaping @Sendable () -> Void
    ) {
        if isHere { body() } else { queue.async(execute: body) }
    }
}
