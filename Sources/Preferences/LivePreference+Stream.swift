import Foundation
import Synchronization

extension LivePreference {
    /// What is stored now, and then whatever replaces it, in order and without a gap.
    func makeStream() -> AsyncStream<PropertyList?> {
        let (stream, continuation) = AsyncStream<PropertyList?>.makeStream()
        let id = UUID()
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

    /// On Linux nothing tells that `UserDefaults` was set past this library: one has to look.
    private func poll() async throws {
        #if !canImport(ObjectiveC)
            while true {
                try await Task.sleep(for: .milliseconds(250))
                _ = refresh()
            }
        #endif
    }
}
