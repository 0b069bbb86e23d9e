import Foundation
import Synchronization

extension Notification.Name {
    /// Posted after a preference with this key was set in this process, in any store.
    static func preferenceDidChange(_ key: String) -> Notification.Name {
        Notification.Name("PreferenceDidChange/\(key)")
    }
}

/// Calls a closure when preferences with one key may have changed, until it is released.
///
/// `UserDefaults.didChangeNotification` announces changes that are made without this library; on
/// Linux Foundation posts it only for whole domains.
final class ChangeObserver: Sendable {
    private let tokens: Mutex<[any NSObjectProtocol]>
    #if canImport(ObjectiveC)
        private let otherProcesses: Mutex<KeyObserver?>
    #endif

    init(
        key: String, in storage: any PreferenceStorage, onChange: @escaping @Sendable () -> Void
    ) {
        #if canImport(ObjectiveC)
            otherProcesses = Mutex(KeyObserver(key, in: storage, onChange: onChange))
        #endif
        let names = [.preferenceDidChange(key), UserDefaults.didChangeNotification]
        tokens = Mutex(
            names.map { name in
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                    _ in onChange()
                }
            })
    }

    deinit {
        tokens.withLock { $0.forEach(NotificationCenter.default.removeObserver) }
    }
}

#if canImport(ObjectiveC)
    /// Calls a closure when the value of a key changes, also in another process, until it is released.
    ///
    /// Apple's documentation of `UserDefaults.didChangeNotification` says to use key-value observing
    /// for changes by other processes.
    private final class KeyObserver: NSObject {
        private let defaults: UserDefaults
        private let key: String
        private let onChange: @Sendable () -> Void

        /// Nil if nothing can be observed: key-value observing takes `.` and `@` for a path.
        init?(
            _ key: String, in storage: any PreferenceStorage,
            onChange: @escaping @Sendable () -> Void
        ) {
            guard let defaults = storage.observedDefaults, !key.contains(where: ".@".contains)
            else {
                return nil
            }
            (self.defaults, self.key, self.onChange) = (defaults, key, onChange)
            super.init()
            defaults.addObserver(self, forKeyPath: key, options: [], context: nil)
        }

        deinit { defaults.removeObserver(self, forKeyPath: key) }

        override func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            onChange()
        }
    }
#endif
