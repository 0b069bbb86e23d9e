import FileSystem
import Synchronization

/// Keeps the lock file and the journal of an index open from one commit to the next, because to
/// open and close them takes longer than to add a record.
///
/// The lock is not kept: who takes the files has to lock them, and to look whether they still have
/// their names. Only the indexes that were changed last keep files, so descriptors stay few.
final class FileKeeper: Sendable {
    struct Files: Sendable {
        /// The process that opened the files.
        ///
        /// A child process shares them, and so their lock; it has to open its own.
        let process: Int32
        let lock: Handle
        let identity: FileIdentity
        var journal: Journal?
    }

    struct Journal: Sendable {
        let file: Handle
        /// No other file gets the same as long as this one is open.
        let identity: FileIdentity
    }

    /// Keepers, of which only the last few keep their files.
    final class Group: Sendable {
        private struct Member {
            weak var keeper: FileKeeper?
        }

        static let ofProcess = Group(capacity: 8)

        private let capacity: Int
        private let members = Mutex<[Member]>([])

        init(capacity: Int) { self.capacity = capacity }

        /// Makes `keeper` the last, and lets the first of too many drop its files.
        fileprivate func add(_ keeper: FileKeeper) {
            let first = members.withLock { members -> FileKeeper? in
                if members.last?.keeper === keeper { return nil }
                members.removeAll { $0.keeper == nil || $0.keeper === keeper }
                members.append(Member(keeper: keeper))
                return members.count > capacity ? members.removeFirst().keeper : nil
            }
            first?.files.withLock { $0 = nil }
        }
    }

    private let group: Group
    private let files = Mutex(Files?.none)

    init(in group: Group = .ofProcess) { self.group = group }

    /// The files, which the keeper then no longer has; nil where there are none.
    func take(for process: Int32) -> Files? {
        let taken = files.withLock { files in
            defer { files = nil }
            return files
        }
        return taken?.process == process ? taken : nil
    }

    func keep(_ taken: Files) {
        files.withLock { $0 = taken }
        group.add(self)
    }
}
