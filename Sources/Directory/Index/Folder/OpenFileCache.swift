import FileSystem
import Foundation
import Synchronization

/// Keeps the journal, the lock file or the folder of one index open between commits: opening and closing it takes
/// longer than appending a record.
///
/// A writer still checks that the name leads to the same file.
final class OpenFileCache: Sendable {
    /// A class, so that handing it on costs one reference.
    final class OpenFile: Sendable {
        let handle: Handle
        /// No other file can have this identity while this one is open.
        let identity: FileIdentity
        /// The status of the folder when its name led to this file, if every later change of the folder shows.
        ///
        /// While the folder has this status, the name still leads to this file.
        let folder: FileStatus?
        /// The process that opened the file.
        let process: Int32

        init(
            handle: Handle, identity: FileIdentity, in folder: FileStatus? = nil,
            process: Int32 = ProcessInfo.processInfo.processIdentifier
        ) {
            (self.handle, self.identity) = (handle, identity)
            (self.folder, self.process) = (folder, process)
        }

        /// Whether this process opened the file.
        ///
        /// A child process shares the locks of the files that its parent opened.
        var isOwn: Bool { process == ProcessInfo.processInfo.processIdentifier }
    }

    /// The open file and its status, if `name` leads to it; nil if nothing is open, or if the name leads elsewhere.
    ///
    /// `status` is that of `folder`.
    func file(named name: FileName, in folder: IndexFolder, of status: FileStatus) throws -> (
        file: OpenFile, status: FileStatus
    )? {
        guard let open = file,
            let (found, foundStatus) = try open.found(as: name, in: folder, of: status)
        else { return nil }
        if found !== open { file = found }
        return (found, foundStatus)
    }

    /// A set of caches of which only the most recently used ones keep a file open, so that the
    /// process does not run out of descriptors.
    final class Group: Sendable {
        private struct Member {
            weak var cache: OpenFileCache?
        }

        static let ofProcess = Group(capacity: 48)

        private let capacity: Int
        private let members = Mutex<[Member]>([])

        init(capacity: Int) { self.capacity = capacity }

        /// Makes `cache` the most recently used; if there are too many, the least recent closes
        /// its file.
        fileprivate func add(_ cache: OpenFileCache) {
            let evicted = members.withLock { members -> OpenFileCache? in
                if members.last?.cache === cache { return nil }
                members.removeAll { $0.cache == nil || $0.cache === cache }
                members.append(Member(cache: cache))
                return members.count > capacity ? members.removeFirst().cache : nil
            }
            evicted?.state.withLock { $0 = nil }
        }
    }

    private let group: Group
    private let state = Mutex(OpenFile?.none)

    init(in group: Group) { self.group = group }

    /// The file; nil if it is not open.
    var file: OpenFile? {
        get { state.withLock { $0 } }
        set {
            state.withLock { $0 = newValue }
            if newValue != nil { group.add(self) }
        }
    }

    /// Takes the file out, so that nothing else can use it until it is put back.
    func take() -> OpenFile? {
        state.withLock { file in
            defer { file = nil }
            return file
        }
    }
}

extension OpenFileCache.OpenFile {
    /// The file with what is now known of its folder, and its status without dates; nil if `name` does not lead to it
    /// any more.
    ///
    /// `status` is that of `folder`, read before this call and after the last one that may have changed the folder.
    func found(
        as name: FileName, in folder: IndexFolder, of status: FileStatus
    ) throws -> (file: OpenFileCache.OpenFile, status: FileStatus)? {
        if self.folder == status {
            let found = try folder.fileSystem.undatedStatus(of: handle)
            // Without a name, it was replaced meanwhile.
            if found.linkCount > 0 { return (self, found) }
        }
        let found = try folder.fileSystem.undatedStatus(of: name, in: folder.handle)
        guard let found, found.identity == identity else { return nil }
        let known = folder.fileSystem.everyChangeShows(after: status) ? status : nil
        if known == nil, self.folder == nil { return (self, found) }
        return (.init(handle: handle, identity: identity, in: known, process: process), found)
    }
}
