import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Copies and changes that take place between two calls of each other.
@Suite struct CopyInterleavingTests {
    /// The changes of boxes and of what they own.
    private static let scenarios = Scenario.all.filter { $0.before.notes == $0.after.notes }

    private static let copyURL = URL(filePath: "/backups/copy")

    /// Copies the boxes as another process does, which by default does not wait for locks.
    private func copy(on process: ProcessFileSystem, lockTimeout: Duration = .zero) throws {
        let boxes = try Directory<Box>(
            at: URL(filePath: "/store/boxes"), index: "boxes.json",
            options: DirectoryOptions(lockTimeout: lockTimeout), on: process)
        try boxes.copy(to: Self.copyURL)
    }

    /// The number of calls of a copy.
    private func callsOfCopy(_ disk: MemoryFileSystem.Image) throws -> Int {
        let process = ProcessFileSystem(MemoryFileSystem(disk))
        try copy(on: process)
        return process.calls
    }

    /// What a verified copy holds.
    private func contents(
        ofCopyOn disk: MemoryFileSystem, _ place: Comment
    ) throws -> [StoreContents.StoredBox] {
        let boxes = try Directory<Box>(
            at: Self.copyURL, index: "boxes.json", on: ProcessFileSystem(disk))
        #expect(try boxes.verify() == [], place)
        return try boxes.items.map { box in
            _ = try disk.openFolder(at: boxes.folder(of: box.id).path)
            let album = try boxes.child(.photos, of: box.id)
            #expect(try album.verify() == [], place)
            return .init(
                box: box,
                photos: try album.items.map {
                    .init(name: $0.name, bytes: try album.data(of: $0.id))
                })
        }
    }

    /// Expects that a copy was refused because of a lock, or holds one of `allowed`.
    private func expectSound(
        _ result: Result<Void, any Error>?, on disk: MemoryFileSystem, _ allowed: [StoreContents],
        _ place: Comment
    ) throws {
        switch result {
        case .success:
            let found = try contents(ofCopyOn: disk, place)
            #expect(allowed.map(\.boxes).contains(found), place)
        case .failure(let error as DirectoryError) where error.code == .locked:
            let backups = try? disk.openFolder(at: "/backups")
            #expect(try backups.map(disk.list) ?? [] == [], place)
        case .failure(let error): Issue.record(error, place)
        case nil: break
        }
    }

    @Test func copyBetweenTwoCallsOfAChangeIsBeforeOrAfterIt() throws {
        var sweep = Sweep()
        for scenario in sweep.some(Self.scenarios, 6) {
            let rehearsal = try Rehearsal(of: scenario)
            for call in sweep.numbers(below: rehearsal.calls, step: 19) {
                let disk = MemoryFileSystem(rehearsal.disk)
                let interruption = CallInterruption(before: call) {
                    try copy(on: ProcessFileSystem(disk))
                }
                let store = try scenario.store(on: interruption.process(on: disk))
                try scenario.perform(in: store)
                let isAcknowledged = interruption.result == nil
                try store.finish()
                try expectSound(
                    interruption.result, on: disk,
                    isAcknowledged ? [scenario.after] : [scenario.before, scenario.after],
                    "\(scenario), copied before call \(call), \(sweep)")
            }
        }
    }

    @Test func changeBetweenTwoCallsOfACopyIsInItOrNot() throws {
        var sweep = Sweep()
        for scenario in sweep.some(Self.scenarios, 6) {
            let disk = try Rehearsal(of: scenario).disk
            for call in sweep.numbers(below: try callsOfCopy(disk), step: 23) {
                let disk = MemoryFileSystem(disk)
                let interruption = CallInterruption(before: call) {
                    let store = try Store(
                        on: ProcessFileSystem(disk), scenario.mode, lockTimeout: .milliseconds(5))
                    try scenario.perform(in: store)
                    try store.finish()
                }
                let result = Result { try copy(on: interruption.process(on: disk)) }
                let place: Comment = "\(scenario) before call \(call) of the copy, \(sweep)"
                try expectSound(result, on: disk, [scenario.before, scenario.after], place)
                // The copy may hold the lock that the change needs.
                if case .failure(let error)? = interruption.result,
                    (error as? DirectoryError)?.code != .locked
                {
                    Issue.record(error, place)
                }
            }
        }
    }

    @Test func copyAfterAKillIsOfOneState() throws {
        var sweep = Sweep()
        for scenario in sweep.some(Self.scenarios, 6) {
            let rehearsal = try Rehearsal(of: scenario)
            for call in sweep.numbers(below: rehearsal.calls, step: 19) {
                let disk = MemoryFileSystem(rehearsal.disk)
                let process = ProcessFileSystem(disk) { $0 >= call ? .killed : .works }
                var isAcknowledged = false
                _ = Result {
                    let store = try scenario.store(on: process)
                    try scenario.perform(in: store)
                    isAcknowledged = true
                    try store.finish()
                }
                process.kill()
                let place: Comment = "\(scenario) killed before call \(call), \(sweep)"
                try copy(on: ProcessFileSystem(disk), lockTimeout: .seconds(30))
                let allowed = isAcknowledged ? [scenario.after] : [scenario.before, scenario.after]
                #expect(try allowed.map(\.boxes).contains(contents(ofCopyOn: disk, place)), place)
            }
        }
    }
}

/// An action that runs before the call with a number.
private final class CallInterruption: Sendable {
    private let call: Int
    private let action: @Sendable () throws -> Void
    private let outcome = Mutex<Result<Void, any Error>?>(nil)

    init(before call: Int, _ action: @escaping @Sendable () throws -> Void) {
        self.call = call
        self.action = action
    }

    /// The result of the action; nil if it has not run.
    var result: Result<Void, any Error>? { outcome.withLock { $0 } }

    func process(on disk: MemoryFileSystem) -> ProcessFileSystem {
        ProcessFileSystem(disk) { [self] number in
            if number == call {
                let result = Result { try action() }
                outcome.withLock { $0 = result }
            }
            return .works
        }
    }
}
