import FileSystem
import Synchronization
import TestSupport

/// The devices on which no file of a photo can be opened now, nor half of the folders with the files for others.
final class UnreadableFiles: Sendable {
    private let devices = Mutex<Set<String>>([])

    /// Hides these files and folders of a device from now on, or shows them again.
    func set(_ isUnreadable: Bool, on device: String) {
        devices.withLock { devices in
            if isUnreadable { devices.insert(device) } else { devices.remove(device) }
        }
    }

    func contains(_ device: String) -> Bool { devices.withLock { $0.contains(device) } }

    /// `fate`, in which these cannot be opened if the device is in this list.
    func hiding(
        _ fate: @escaping @Sendable (Int, String) -> ProcessFileSystem.Fate, of device: String
    ) -> @Sendable (Int, String) -> ProcessFileSystem.Fate {
        { [self] number, line in
            let outcome = fate(number, line)
            guard case .works = outcome, isOfPhotos(line, on: device), contains(device) else {
                return outcome
            }
            return .fails(.accessDenied)
        }
    }

    private func isOfPhotos(_ line: String, on device: String) -> Bool {
        if line.hasPrefix("open /\(device)/store/") {
            return line.hasSuffix(".jpg") && line.contains("/photos/")
        }
        let assets = "open /\(device)/shared/assets/"
        guard line.hasPrefix(assets) else { return false }
        let name = line.dropFirst(assets.count)
        return name.utf8.count == 2 && name < "8"
    }
}
