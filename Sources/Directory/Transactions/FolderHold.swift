import FileSystem

/// Locks of folders, which keep them where they are until this value is released.
///
/// An intent names the folder of another index by its path from the index's own folder. So a process
/// that writes or follows such an intent has shared locks of all folders on the way from one to the
/// other, and a process that moves a folder has its exclusive lock. The locks are never waited for
/// while others are held: if one is taken, all are released.
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
    /// Keeps two folders where they are as seen from each other: it locks both and those above them,
    /// up to the first folder that has both inside.
    ///
    /// - Throws: ``Busy`` while one of them is being moved.
    mutating func keepInPlace(_ one: Handle, _ other: Handle) throws {
        let shared = try Set(identities(from: one)).intersection(identities(from: other))
        try keepInPlace(one, below: shared)
        try keepInPlace(other, below: shared)
    }

    private mutating func keepInPlace(_ folder: Handle, below shared: Set<FileIdentity>) throws {
        var isBelow = false
        try climb(from: folder) { hold, next, identity in
            if hold.toMove.contains(identity) || shared.contains(identity) {
                isBelow = true
                return false
            }
            // A folder that is locked cannot move, so its parent stays above it.
            if hold.inPlace.contains(identity) { return true }
            guard try hold.fileSystem.tryLock(next, shared: true) else { throw hold.isBusy(next) }
            hold.handles.append(next)
            hold.inPlace.insert(identity)
            return true
        }
        // It was moved since the folders above it were read.
        guard isBelow || shared.isEmpty else { throw isBusy(folder) }
    }

    /// The folder and all above it that this process may open.
    private func identities(from folder: Handle) throws -> [FileIdentity] {
        var found: [FileIdentity] = []
        var hold = self
        try hold.climb(from: folder) { _, _, identity in
            found.append(identity)
            return true
        }
        return found
    }

    /// Calls `body` with the folder, then with each one above it as long as `body` returns true.
    ///
    /// A folder in which a volume is mounted cannot be moved, so the way ends there.
    private mutating func climb(
        from folder: Handle,
        _ body: (inout FolderHold, Handle, FileIdentity) throws -> Bool
    ) throws {
        var next = try fileSystem.openAgain(folder)
        let device = try fileSystem.status(of: next).identity.device
        var below: FileIdentity?
        while true {
            let identity = try fileSystem.status(of: next).identity
            // The root is above itself.
            guard identity.device == device, identity != below, try body(&self, next, identity)
            else { return }
            below = identity
            do {
                next = try fileSystem.openParent(of: next)
            } catch let error as FileSystemError where error.isWriteRefusal {
                // A sandbox does not let a process open all folders above its own.
                return
            }
        }
    }

    /// Keeps others from relying on where the folder `name` is, which is about to move.
    ///
    /// - Returns: The folder; nil if it is missing.
    /// - Throws: ``Busy`` while another call relies on its place; ``DirectoryError`` with
    ///   `invalidLocation` if this call does, because the folder would move into itself;
    ///   ``FileSystemError`` if it cannot be opened, because something in it may be unfinished.
    mutating func takeToMove(_ name: FileName, in parent: Handle) throws -> Handle? {
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
