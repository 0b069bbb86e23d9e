import Foundation

/// Asks the system not to suspend the app until this object is released.
///
/// iOS ends an app that is suspended while it holds a lock of a file in an app group (0xdead10cc).
final class ExpiringActivity: Sendable {
    #if os(iOS) || os(tvOS) || os(visionOS)
        private let end = DispatchSemaphore(value: 0)

        // ProcessInfo.performExpiringActivity(withReason:using:): the app is not suspended while the
        // block runs, on another thread. It is called again, with true, when no time is left.
        init() {
            let info = ProcessInfo.processInfo
            info.performExpiringActivity(withReason: "Directory.commit") { [end] isOver in
                if isOver { end.signal() } else { end.wait() }
            }
        }

        deinit { end.signal() }
    #else
        init() {}
    #endif
}
