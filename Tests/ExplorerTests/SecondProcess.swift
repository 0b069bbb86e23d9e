import Directory
import FileSystem
import StoreModel
import Synchronization
import TestSupport

/// The process that does all it does at one moment of the first, or after it.
final class SecondProcess: Sendable {
    private let operation: Operation
    private let session: Mutex<Session?>
    private let endings = Mutex<[Ending]>([])
    /// Held while the operation goes on, which any thread of the first process can begin.
    private let turn = Mutex(())

    /// Prepares the operation.
    init(_ schedule: Schedule, on disk: any FileSystem, _ defect: Defect?) throws {
        operation = schedule.second
        let process = ProcessFileSystem(disk) { _, line in
            defect?.skips(line) == true ? .skipped : .works
        }
        let session = try Session(
            on: process, schedule.mode, lockTimeout: .milliseconds(2),
            undoLimit: schedule.second.undoLimit,
            keepsRemoved: schedule.second.keepsRemoved ? .days(1) : nil)
        try operation.prepare(session)
        self.session = Mutex(session)
    }

    /// Performs the operation and ends the process, unless that was done before.
    ///
    /// - Returns: How its steps ended.
    @discardableResult
    func run(didEnd: () -> Void = {}) -> [Ending] {
        turn.withLock { _ in
            for wait in end(didEnd) { wait() }
        }
        return endings.withLock { $0 }
    }

    /// Returns what waits for the background work of the process, which has released everything.
    private func end(_ didEnd: () -> Void) -> [@Sendable () -> Void] {
        let session = session.withLock { session in
            defer { session = nil }
            return session
        }
        guard let session else { return [] }
        let found = operation.stepsOfSecond.perform(in: session, didEnd: didEnd)
        endings.withLock { $0 = found }
        return session.waits
    }
}
