import FileSystem
import Foundation

/// Shared locks of indexes in one folder: while this value is kept, nobody commits to them.
///
/// The lock files are only opened to read, so that a read-only collection can be read and copied.
struct FolderLocks {
    private let files: [FileName: Handle]
    private let activity: ExpiringActivity

    /// Takes the locks; nil if a process that commits has one of them, or if the system grants no time for `activity`.
    ///
    /// An index without a lock file was never changed by this library, and needs no lock.
    init?(
        of lockFiles: some Sequence<FileName>, in folder: Handle, on fileSystem: any FileSystem,
        _ activity: ExpiringActivity
    ) throws {
        if activity.isOver { return nil }
        self.activity = activity
        var files: [FileName: Handle] = [:]
        for name in lockFiles {
            let file = try fileSystem.openFileIfPresent(name, in: folder, for: .read)
            guard let file else { continue }
            // If the lock file was replaced meanwhile, others lock the new one.
            guard try fileSystem.tryLock(file, shared: true),
                try fileSystem.status(of: name, in: folder)?.identity
                    == fileSystem.status(of: file).identity
            else { return nil }
            files[name] = file
        }
        self.files = files
    }

    /// Whether all of `lockFiles` are locked.
    func include(_ lockFiles: some Sequence<FileName>) -> Bool {
        lockFiles.allSatisfy { files[$0] != nil }
    }
}
