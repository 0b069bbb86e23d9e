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

    init(key: String, onChange: @escaping @Sendable () -> Void) {
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
