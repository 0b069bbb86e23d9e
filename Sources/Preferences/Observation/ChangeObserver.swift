import Foundation
import Synchronization

extension Notification.Name {
    /// Posted after a preference with this key was set, in any store of this process or in another
    /// process.
    static func preferenceDidChange(_ key: String) -> Notification.Name {
        Notification.Name("PreferenceDidChange/\(key)")
    }
}

/// Calls a closure when preferences with one key may have changed, until it is released.
///
/// `UserDefaults.didChangeNotification` announces changes that are made without this library. On
/// Linux, Foundation posts it only for whole domains.
final class ChangeObserver: Sendable {
    private let tokens: Mutex<[any NSObjectProtocol]>
    #if canImport(ObjectiveC)
        private let otherProcesses: KeyObserver
        private let observed: Mutex<UserDefaults?>
    #endif

    init(
        key: String, in storage: any PreferenceStorage, onChange: @escaping @Sendable () -> Void
    ) {
        #if canImport(ObjectiveC)
            otherProcesses = KeyObserver(key)
            // A dot or an at sign would make the key a path for key-value observing.
            let isPath = key.contains(where: ".@".contains)
            let defaults = isPath ? nil : storage.observedDefaults
            defaults?.addObserver(otherProcesses, forKeyPath: key, options: [], context: nil)
            observed = Mutex(defaults)
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
        #if canImport(ObjectiveC)
            let observer = otherProcesses
            observed.withLock { $0?.removeObserver(observer, forKeyPath: observer.key) }
            // Another thread may be calling the observer, and that call does not retain it.
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) { _ = observer }
        #endif
    }
}

#if canImport(ObjectiveC)
    /// Posts `preferenceDidChange` when the value changes, also if another process changes it.
    ///
    /// Apple's documentation of `UserDefaults.didChangeNotification` says to use key-value observing
    /// for changes by other processes.
    private final class KeyObserver: NSObject, Sendable {
        let key: String

        init(_ key: String) { self.key = key }

        override func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            NotificationCenter.default.post(name: .preferenceDidChange(key), object: nil)
        }
    }
#endif
