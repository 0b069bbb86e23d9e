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

    private struct Weak {
        weak var keeper: FileKeeper?
    }

    private let files = Mutex(Files?.none)

    private static let capacity = 8
    private static let recent = Mutex<[Weak]>([])

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
        let oldest = Self.recent.withLock { recent -> FileKeeper? in
            if recent.last?.keeper === self { return nil }
            recent.removeAll { $0.keeper == nil || $0.keeper === self }
            recent.append(Weak(keeper: self))
            return recent.count > Self.capacity ? recent.removeFirst().keeper : nil
        }
        oldest?.files.withLock { $0 = nil }
    }
}
