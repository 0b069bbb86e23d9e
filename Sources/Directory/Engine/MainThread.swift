import Foundation

/// The main thread: SwiftUI is told of changes there, and views are changed there.
enum MainThread {
    /// Calls `body` on the main thread: at once if this is the main thread, otherwise soon.
    ///
    /// - Parameters:
    ///   - isHere: Whether this is the main thread.
    ///   - queue: The queue whose work is done on the main thread.
    ///   - body: The work.
    static func run(
        isHere: Bool = Thread.isMainThread, on queue: DispatchQueue = .main,
        _ body: @escaping @Sendable () -> Void
    ) {
        if isHere { body() } else { queue.async(execute: body) }
    }
}
