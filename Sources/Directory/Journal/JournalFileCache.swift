import FileSystem
import Synchronization

/// Keeps the journal of one index open between commits: opening and closing it takes longer than
/// appending a record.
///
/// A writer still checks that the name leads to the same file. The lock file is never kept open: a
/// child process would share its lock, and hold it after this process was killed.
final class JournalFileCache: Sendable {
    struct OpenFile: Sendable {
        let handle: Handle
        /// No other file can have this identity while this one is open.
        let identity: FileIdentity
    }

    /// A set of caches of which only the most recently used ones keep a file open, so that the
    /// process does not run out of descriptors.
    final class Group: Sendable {
        private struct Member {
            weak var cache: JournalFileCache?
        }

        static let ofProcess = Group(capacity: 16)

        private let capacity: Int
        private let members = Mutex<[Member]>([])

        init(capacity: Int) { self.capacity = capacity }

        /// Makes `cache` the most recently used; if there are too many, the least recent closes
        /// its file.
        fileprivate func add(_ cache: JournalFileCache) {
            let evicted = members.withLock { members -> JournalFileCache? in
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

    init(in group: Group = .ofProcess) { self.group = group }

    /// The journal; nil if it is not open.
    var file: OpenFile? {
        get { state.withLock { $0 } }
        set {
            state.withLock { $0 = newValue }
            if newValue != nil { group.add(self) }
        }
    }
}
