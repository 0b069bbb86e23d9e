import Foundation
import Synchronization

/// Asks the system not to suspend the app until this object is released.
///
/// iOS ends an app that is suspended while it holds a lock of a file in an app group (0xdead10cc).
/// If time runs out while the lock is held, that can happen nevertheless; the next process recovers.
final class ExpiringActivity: Sendable {
    #if os(iOS) || os(tvOS) || os(visionOS)
        private let end = DispatchSemaphore(value: 0)
        private let expired = Atomic(false)

        /// Whether the system grants no more time, so that no lock may be taken.
        var isOver: Bool { expired.load(ordering: .relaxed) }

        // ProcessInfo.performExpiringActivity(withReason:using:): the app is not suspended while the
        // block runs, on another thread. It is called again, with true, when no time is left; if
        // there is none at all, it is called with true only.
        init() {
            let info = ProcessInfo.processInfo
            info.performExpiringActivity(withReason: "Directory.commit") {
                [weak self, end] isOver in
                guard isOver else { return end.wait() }
                self?.expired.store(true, ordering: .relaxed)
                end.signal()
            }
        }

        deinit { end.signal() }
    #else
        var isOver: Bool { false }

        init() {}
    #endif
}

extension DirectoryOptions {
    /// How long this thread waits for a lock.
    var patience: Duration {
        #if os(iOS) || os(tvOS) || os(visionOS)
            // The watchdog ends an app whose main thread stands still (0x8badf00d): Apple, "Addressing watchdog
            // terminations".
            if Thread.isMainThread { return min(lockTimeout, .seconds(5)) }
        #endif
        return lockTimeout
    }

    /// How long this thread waits for another one of this process; nil for no limit.
    var patienceWithThreads: Duration? {
        #if os(iOS) || os(tvOS) || os(visionOS)
            if Thread.isMainThread { return patience }
        #endif
        return nil
    }
}
