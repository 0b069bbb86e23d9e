import FileSystem

/// Locks of folders, which keep them where they are until this value is released.
///
/// An intent names the folder of another index by its path. So a process that writes or follows such
/// an intent has shared locks of both folders and of all folders above them. A process that moves a
/// folder has its exclusive lock, and shared locks of the folders above it. The locks are never waited
/// for while others are held: if one is taken, all are released.
struct FolderHold {
    private let fileSystem: any FileSystem
    private var handles: [Handle] = []
    private var inPlace: Set<FileIdentity> = []
    private var toMove: Set<FileIdentity> = []

    init(on fileSystem: any FileSystem) {
        self.fileSystem = fileSystem
    }
}

extension FolderHold {
    /// Keeps `folder` and all folders above it where they are.
    ///
    /// - Throws: ``Busy`` while one of them is being moved.
    mutating func keepInPlace(_ folder: Handle) throws {
        var next = try fileSystem.openAgain(folder)
        let device = try fileSystem.status(of: next).identity.device
        while true {
            let identity = try fileSystem.status(of: next).identity
            // A folder in which a volume is mounted cannot be moved, and the root is above itself.
            guard identity.device == device, !inPlace.contains(identity),
                !toMove.contains(identity)
            else { return }
            guard try fileSystem.tryLock(next, shared: true) else { throw isBusy(next) }
            handles.append(next)
            inPlace.insert(identity)
            do {
                // The folder cannot move any more, so this one stays above it.
                next = try fileSystem.openParent(of: next)
            } catch let error as FileSystemError where error.isWriteRefusal {
                // A sandbox does not let a process open all folders above its own.
                return
            }
        }
    }

    /// Locks the folder `name`, which is about to move, so that no transfer begins in it.
    ///
    /// - Returns: The folder; nil if it is missing.
    /// - Throws: ``Busy`` while another call relies on its place; ``DirectoryError`` with
    ///   `invalidLocation` if this call does, because the folder would move into itself;
    ///   ``FileSystemError`` if it cannot be opened, because something in it may be unfinished.
    mutating func lockToMove(_ name: FileName, in parent: Handle) throws -> Handle? {
        guard let found = try fileSystem.openFolderIfPresent(name, in: parent) else { return nil }
        let identity = try fileSystem.status(of: found).identity
        guard !inPlace.contains(identity) else {
            throw DirectoryError(
                .invalidLocation, "move", parent.url(of: name),
                "a folder cannot be moved into itself")
        }
        if toMove.contains(identity) { return found }
        guard try fileSystem.tryLock(found, shared: false) else { throw isBusy(found) }
        handles.append(found)
        toMove.insert(identity)
        return found
    }

    private func isBusy(_ folder: Handle) -> Busy {
        Busy(
            error: DirectoryError(
                .locked, "lock", folder.url, "a change that moves files or folders goes on there"))
    }
}
