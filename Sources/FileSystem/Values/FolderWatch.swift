/// Watches a folder until it is released.
package final class FolderWatch: Sendable {
    /// A change of a watched folder.
    package enum Event: Sendable {
        /// One of the watched names was made, moved or removed, or its file was written to.
        case entry
        /// The folder itself was moved or removed, or cannot be watched any longer; or the system
        /// dropped events, so anything may have changed.
        case folder
    }

    private let onEnd: @Sendable () -> Void

    package init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }
}
