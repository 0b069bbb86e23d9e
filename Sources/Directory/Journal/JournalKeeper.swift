import FileSystem
import Synchronization

/// Keeps the journal of an index open from one commit to the next, because to open and close it
/// takes longer than to add a record.
///
/// Who writes still looks whether the name leads to the same file. The lock file is never kept: a
/// child process would share its lock, and keep it if this process were killed.
final class JournalKeeper: Sendable {
    struct OpenFile: Sendable {
        let file: Handle
        /// No other file gets the same as long as this one is open.
        let identity: FileIdentity
    }

    /// Keepers, of which only the last few to be used keep their files, so that descriptors do
    /// not run out.
    final class Group: Sendable {
        private struct Member {
            weak var keeper: JournalKeeper?
        }

        static let ofProcess = Group(capacity: 16)

        private let capacity: Int
        private let members = Mutex<[Member]>([])

        init(capacity: Int) { self.capacity = capacity }

        /// Makes `keeper` the last; the first of too many lets go of its file.
        fileprivate func add(_ keeper: JournalKeeper) {
            let evicted = members.withLock { members -> JournalKeeper? in
                if members.last?.keeper === keeper { return nil }
                members.removeAll { $0.keeper == nil || $0.keeper === keeper }
                members.append(Member(keeper: keeper))
                return members.count > capacity ? members.removeFirst().keeper : nil
            }
            evicted?.state.withLock { $0 = nil }
        }
    }

    private let group: Group
    private let state = Mutex(OpenFile?.none)

    init(in group: Group = .ofProcess) { self.group = group }

    /// The journal, if it is still open.
    var journal: OpenFile? {
        get { state.withLock { $0 } }
        set {
            state.withLock { $0 = newValue }
            if newValue != nil { group.add(self) }
        }
    }
}
