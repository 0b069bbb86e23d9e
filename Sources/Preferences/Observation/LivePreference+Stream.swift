import Foundation
import Synchronization

extension LivePreference {
    /// The stored value, then each value that replaces it, in order and without a gap.
    func makeStream() -> AsyncStream<PropertyList?> {
        let (stream, continuation) = AsyncStream<PropertyList?>.makeStream()
        let id = UUID()
        load()
        let stored = refresh()
        state.withLock { state in
            continuation.yield(state.known ?? stored)
            state.streams[id] = continuation
        }
        let poll = Task(priority: .utility) { try await self.poll() }
        continuation.onTermination = { [weak self] _ in
            poll.cancel()
            self?.state.withLock { $0.streams[id] = nil }
        }
        return stream
    }

    /// Looks for changes that are made with `UserDefaults` directly, which Linux does not announce.
    private func poll() async throws {
        #if !canImport(ObjectiveC)
            while true {
                try await Task.sleep(for: .milliseconds(250))
                load()
                _ = refresh()
            }
        #endif
    }
}
