import Directory
import FileSystem
import StoreModel
import Synchronization
import TestSupport

/// The process that is stopped or killed before one of its calls.
struct FirstProcess {
    let operation: Operation
    let mode: CommitMode
    let disk: any FileSystem
    let defect: Defect?

    init(
        _ operation: Operation, _ mode: CommitMode, on disk: any FileSystem,
        _ defect: Defect? = nil
    ) {
        self.operation = operation
        self.mode = mode
        self.disk = disk
        self.defect = defect
    }

    /// Performs the operation; `fate` gets the number of each call from its beginning to the end
    /// of the process.
    ///
    /// - Returns: How its steps ended, and its calls.
    func run(_ fate: @escaping @Sendable (Int) -> ProcessFileSystem.Fate) throws
        -> (endings: [Ending], log: ArraySlice<String>)
    {
        let begin = Mutex<Int?>(nil)
        let defect = defect
        let process = ProcessFileSystem(disk) { number, line in
            let fate = begin.withLock { $0 }.map { fate(number - $0) } ?? .works
            if case .works = fate, defect?.skips(line) == true { return .skipped }
            return fate
        }
        let endings = try perform(on: process) { begin.withLock { $0 = process.calls } }
        let log = process.log.dropFirst(begin.withLock { $0 } ?? 0)
        guard process.isDead else {
            // Its background work ends with it.
            process.kill()
            return (endings, log)
        }
        // An error that it saw after its end says nothing.
        return (endings.map { if case .refused = $0 { .inDoubt } else { $0 } }, log)
    }

    /// When this returns, the process has released everything.
    private func perform(on process: ProcessFileSystem, _ didPrepare: () -> Void) throws
        -> [Ending]
    {
        let (endings, waits) = try {
            let session = try Session(
                on: process, mode, lockTimeout: .milliseconds(2), undoLimit: operation.undoLimit,
                keepsRemoved: operation.keepsRemoved ? .days(1) : nil)
            try operation.prepare(session)
            didPrepare()
            return (operation.steps.perform(in: session), session.waits)
        }()
        waits.forEach { $0() }
        return endings
    }
}
