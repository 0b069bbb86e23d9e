import FileSystem
import Synchronization
import TestSupport

/// The process that does all it does at one moment of the first, or after it.
final class SecondProcess: Sendable {
    private let operation: Operation
    private let session: Mutex<Session?>
    private let endings = Mutex<[Ending]>([])

    /// Prepares the operation.
    init(_ schedule: Schedule, on disk: any FileSystem, _ defect: Defect?) throws {
        operation = schedule.second
        let process = ProcessFileSystem(disk) { _, line in
            defect?.skips(line) == true ? .skipped : .works
        }
        let session = try Session(on: process, schedule.mode)
        try operation.prepare(session)
        self.session = Mutex(session)
    }

    /// Performs the operation and ends the process, unless that was done before.
    ///
    /// - Returns: How its steps ended.
    @discardableResult
    func run(didEnd: () -> Void = {}) -> [Ending] {
        let session = session.withLock { session in
            defer { session = nil }
            return session
        }
        if let session {
            let found = operation.perform(in: session, didEnd: didEnd)
            endings.withLock { $0 = found }
        }
        return endings.withLock { $0 }
    }
}
