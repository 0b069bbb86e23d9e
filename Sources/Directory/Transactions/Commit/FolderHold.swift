import FileSystem

/// Locks of folders, which keep them where they are until this value is released.
///
/// An intent names the folder of another index by its path. So a process that writes or follows such an intent has
/// shared locks of both folders and of all folders above them. A process that moves a folder has its exclusive lock,
/// and shared locks of the folders above it. To move many folders, it has the exclusive lock of their parent. No call
/// waits for one of these locks while it holds others: if one is taken, the call releases all.
struct FolderHold {
    private let fileSystem: any FileSystem
    private var inPlace: [FileIdentity: Handle] = [:]
    private var toMove: [FileIdentity: Handle] = [:]

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
            guard identity.device == device, inPlace[identity] == nil, toMove[identity] == nil
            else { return }
            guard try fileSystem.tryLock(next, shared: true) else { throw isBusy(next) }
            inPlace[identity] = next
            do {
                // The folder cannot move any more, so this one stays above it.
                next = try fileSystem.openParent(of: next)
            } catch let error as FileSystemError where error.isWriteRefusal {
                // A sandbox does not let a process open all folders above its own.
                return
            }
        }
    }

    /// Locks the folder `name`, which is about to move, so that no write to several collections begins in it.
    ///
    /// - Returns: The folder; nil if it is missing.
    /// - Throws: ``Busy`` while another call relies on its place; ``DirectoryError`` with `invalidLocation` if this
    ///   call does, because the folder would move into itself; ``FileSystemError`` if it cannot be opened.
    mutating func lockToMove(_ name: FileName, in parent: Handle) throws -> Handle? {
        guard let found = try openToMove(name, in: parent) else { return nil }
        let identity = try fileSystem.status(of: found).identity
        if toMove[identity] != nil { return found }
        guard try fileSystem.tryLock(found, shared: false) else { throw isBusy(found) }
        toMove[identity] = found
        return found
    }

    /// Locks the folder `name` as ``lockToMove(_:in:)`` does, but releases the lock at once.
    ///
    /// ``lockAll(in:)`` has locked `parent`. If a sandbox keeps another process from opening `parent`, and it begins a
    /// write to several collections after this, that is not noticed.
    func tryLockToMove(_ name: FileName, in parent: Handle) throws -> Handle? {
        guard let found = try openToMove(name, in: parent) else { return nil }
        let again = try fileSystem.openAgain(found)
        guard try fileSystem.tryLock(again, shared: false) else { throw isBusy(found) }
        return found
    }

    private func openToMove(_ name: FileName, in parent: Handle) throws -> Handle? {
        guard let found = try fileSystem.openFolderIfPresent(name, in: parent) else { return nil }
        guard try inPlace[fileSystem.status(of: found).identity] == nil else {
            throw DirectoryError(
                .invalidLocation, "move", parent.url(of: name),
                "a folder cannot be moved into itself",
                remedy: "Choose a collection that is not in this folder.")
        }
        return found
    }

    /// Locks `folder`, so that no write to several collections begins in it or below it.
    ///
    /// - Throws: ``Busy`` while another call relies on the place of something in it.
    mutating func lockAll(in folder: Handle) throws {
        let identity = try fileSystem.status(of: folder).identity
        let handle = try inPlace[identity] ?? fileSystem.openAgain(folder)
        // If the folder is kept in place, this makes the shared lock an exclusive one.
        guard try fileSystem.tryLock(handle, shared: false) else { throw isBusy(handle) }
        inPlace[identity] = handle
    }

    private func isBusy(_ folder: Handle) -> Busy {
        Busy(
            error: DirectoryError(
                .locked, "lock", folder.url, "a change that moves files or folders goes on there",
                people: .init(operation: "use", reason: "files in it are being moved now")))
    }
}
