import FileSystem
import Synchronization
import TestSupport

/// The devices on which no file of a photo can be opened now.
final class UnreadableFiles: Sendable {
    private let devices = Mutex<Set<String>>([])

    /// Whether the files of a device can be opened from now on.
    func set(_ isUnreadable: Bool, on device: String) {
        devices.withLock { devices in
            if isUnreadable { devices.insert(device) } else { devices.remove(device) }
        }
    }

    func contains(_ device: String) -> Bool { devices.withLock { $0.contains(device) } }

    /// `fate`, in which no file of a photo of a device that is in this list can be opened.
    func hiding(
        _ fate: @escaping @Sendable (Int, String) -> ProcessFileSystem.Fate, of device: String
    ) -> @Sendable (Int, String) -> ProcessFileSystem.Fate {
        { [self] number, line in
            let outcome = fate(number, line)
            guard case .works = outcome, line.hasPrefix("open /\(device)/store/"),
                line.hasSuffix(".jpg"), line.contains("/photos/"), contains(device)
            else { return outcome }
            return .fails(.accessDenied)
        }
    }
}
