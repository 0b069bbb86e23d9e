import Foundation
import Synchronization

extension Notification.Name {
    /// Posted after a preference with this key was set: in this process in any store, or in another
    /// process.
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
        private let otherProcesses: KeyObserver
        private let observed: Mutex<UserDefaults?>
    #endif

    init(
        key: String, in storage: any PreferenceStorage, onChange: @escaping @Sendable () -> Void
    ) {
        #if canImport(ObjectiveC)
            otherProcesses = KeyObserver(key)
            // Key-value observing takes a dot or an at sign for a part of a path.
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
            // Another thread may just be calling it, which does not retain it.
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) { _ = observer }
        #endif
    }
}

#if canImport(ObjectiveC)
    /// Posts that a preference changed when its value changes, also in another process.
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
