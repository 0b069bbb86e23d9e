import Foundation

/// Deletes what is old in a folder, on one volume, and goes on after failures.
struct Sweep {
    let date: Date
    let volume: dev_t

    /// The first failure.
    private(set) var failure: (any Error)?

    init(before date: Date, on volume: dev_t) {
        self.date = date
        self.volume = volume
    }

    private static let tag = Array(CacheTag.fileName.utf8CString)

    /// Deletes what is old in `folder`, and tells whether nothing but a backup tag is left.
    mutating func empty(_ folder: borrowing OpenFolder) throws -> Bool {
        var isEmpty = true
        for name in try folder.names() where name != Self.tag {
            do {
                isEmpty = try remove(name, in: folder) && isEmpty
            } catch {
                failure = failure ?? error
                isEmpty = false
            }
        }
        return isEmpty
    }

    /// Deletes `name` if it is old, and tells whether it is gone.
    private mutating func remove(_ name: [CChar], in folder: borrowing OpenFolder) throws -> Bool {
        guard let status = try folder.status(of: name) else { return true }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            guard status.modified < date else { return false }
            try folder.removeFile(name)
            return true
        }
        guard let child = try folder.folder(name) else { return true }
        guard try child.status().st_dev == volume else { return false }
        guard try empty(child), status.modified < date else { return false }
        try child.removeFile(Self.tag)
        return try folder.removeFolder(name)
    }
}

extension stat {
    fileprivate var modified: Date {
        #if canImport(Darwin)
            let time = st_mtimespec
        #else
            let time = st_mtim
        #endif
        return Date(
            timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000)
    }
}
