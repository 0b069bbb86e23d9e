package import FileSystem
import Foundation
import Synchronization

/// A disk that records all changes and syncs in order, so that each state that a power loss can
/// leave can be built afterwards.
package final class RecordedDisk: FileSystem {
    /// A change by one call.
    package enum Unit: Hashable, Sendable {
        /// Names that change together: those of a new file, a rename or a removal.
        case entries([Entry])
        /// Bytes of a file.
        case write(inode: UInt64, offset: Int, bytes: [UInt8])
        /// A new size of a file.
        case truncation(inode: UInt64, size: Int)
    }

    /// A name that is made or removed.
    package struct Entry: Hashable, Sendable {
        package var folder: UInt64
        package var name: FileName
        /// The file or folder with this name from now on, or until now if the name is removed.
        package var inode: UInt64
        package var isFolder: Bool
        package var isRemoval = false
    }

    package enum Event: Sendable {
        case unit(Unit)
        /// All earlier changes of this file or folder are durable.
        case sync(inode: UInt64)
        /// What was written to this file is lost, unless it is written again; no later sync makes it durable.
        case failedSync(inode: UInt64)
        /// The caller was told that its change is done.
        case acknowledged
    }

    /// The durable state of the disk when the recording began.
    package let start: MemoryFileSystem.Image
    let base: MemoryFileSystem
    private let log = Mutex<[Event]>([])
    /// The files in the cache of the drive, in the order of their syncs.
    let inDrive = Mutex<[UInt64]>([])
    let turns = Turns()

    package init(_ image: MemoryFileSystem.Image) {
        start = image
        base = MemoryFileSystem(image)
    }

    /// A disk after `events`, the last of which was the last of a process that was killed: all of
    /// them can be seen, but only what was synced is durable.
    package init(after events: some Sequence<Event>, on start: MemoryFileSystem.Image) {
        let events = Array(events)
        self.start = start
        base = MemoryFileSystem(start.visible(after: events))
        log.withLock { $0 = events }
    }

    package var events: [Event] { log.withLock { $0 } }

    package func acknowledge() { record(.acknowledged) }

    func record(_ event: Event) { log.withLock { $0.append(event) } }

    func inode(_ handle: Handle) throws -> UInt64 {
        try base.status(of: handle).identity.inode
    }

    func record(
        _ name: FileName, in folder: Handle, _ status: FileStatus?, isRemoval: Bool = false
    ) throws {
        guard let status else { return }
        let entry = try entry(name, in: folder, status, isRemoval: isRemoval)
        record(.unit(.entries([entry])))
    }

    func entry(
        _ name: FileName, in folder: Handle, _ status: FileStatus, isRemoval: Bool
    ) throws -> Entry {
        Entry(
            folder: try inode(folder), name: name, inode: status.identity.inode,
            isFolder: status.kind == .folder, isRemoval: isRemoval)
    }
}

extension RecordedDisk {
    /// Lets other threads open no folder and change nothing until ``letOthersGoOn()``.
    ///
    /// Background work of a call is therefore recorded after the call, in every run.
    package func holdOthers() { turns.hold() }

    package func letOthersGoOn() { turns.letGo() }

    /// Lets one thread go on while all others wait.
    final class Turns: Sendable {
        private let condition = NSCondition()
        private let holder = Mutex<ObjectIdentifier?>(nil)

        func hold() { holder.withLock { $0 = ObjectIdentifier(Thread.current) } }

        func letGo() {
            condition.withLock {
                holder.withLock { $0 = nil }
                condition.broadcast()
            }
        }

        func wait() {
            let mine = ObjectIdentifier(Thread.current)
            let isFree = { self.holder.withLock { $0 == nil || $0 == mine } }
            if isFree() { return }
            condition.withLock { while !isFree() { condition.wait() } }
        }
    }
}
