import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Copies and changes that take place between two calls of each other.
struct CopyInterleavingTests {
    /// The changes of boxes and of what they own.
    private static let scenarios = Scenario.all.filter { $0.before.notes == $0.after.notes }

    private static let copyURL = URL(filePath: "/backups/projects")

    /// Copies the boxes as another process does, which by default does not wait for locks.
    private func copy(on process: ProcessFileSystem, lockTimeout: Duration = .zero) throws {
        let store = try Session(on: process, .rewrite, lockTimeout: lockTimeout)
        try store.projects.copy(to: Self.copyURL)
    }

    /// The number of calls of a copy.
    private func callsOfCopy(_ disk: MemoryFileSystem.Image) throws -> Int {
        let process = ProcessFileSystem(MemoryFileSystem(disk))
        try copy(on: process)
        return process.calls
    }

    /// The boxes in a verified copy.
    private func boxes(ofCopyOn disk: MemoryFileSystem, _ place: Comment) throws -> [Tree.Node] {
        let folder = Self.copyURL.deletingLastPathComponent()
        let copy = try Session(at: folder, on: ProcessFileSystem(disk))
        #expect(try copy.findings() == [], place)
        return try copy.tree().projects
    }

    /// Expects that a copy was refused because of a lock, or holds one of `allowed`.
    private func expectSound(
        _ result: Result<Void, any Error>?, on disk: MemoryFileSystem, _ allowed: [Tree],
        _ place: Comment
    ) throws {
        switch result {
        case .success:
            let found = try boxes(ofCopyOn: disk, place)
            #expect(allowed.map(\.projects).contains(found), place)
        case .failure(let error as DirectoryError) where error.code == .locked:
            let backups = try? disk.openFolder(at: "/backups")
            #expect(try backups.map(disk.list) ?? [] == [], place)
        case .failure(let error): Issue.record(error, place)
        case nil: break
        }
    }

    @Test func copyBetweenTwoCallsOfAChangeIsBeforeOrAfterIt() throws {
        var sweep = Sweep()
        for scenario in sweep.some(Self.scenarios, 12) {
            let rehearsal = try Rehearsal(of: scenario)
            for call in sweep.numbers(below: rehearsal.calls, step: 57) {
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
        for scenario in sweep.some(Self.scenarios, 12) {
            let disk = try Rehearsal(of: scenario).disk
            for call in sweep.numbers(below: try callsOfCopy(disk), step: 69) {
                let disk = MemoryFileSystem(disk)
                let interruption = CallInterruption(before: call) {
                    let store = try Session(
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

    /// A person, who locks nothing, makes a folder and then a project with its name.
    @Test func editBetweenTwoCallsOfACopyIsInItOrNot() throws {
        var sweep = Sweep()
        let start = try Tree.small.disk(.rewrite)
        let trees = [Tree.small, try #require(Self.edit.applied(to: .small))]
        for call in sweep.numbers(below: try callsOfCopy(start), step: 6) {
            let disk = MemoryFileSystem(start)
            let edit = interruption(byEditOn: disk, before: call)
            let result = Result { try copy(on: edit.process(on: disk)) }
            let place: Comment = "edited before call \(call) of the copy, \(sweep)"
            #expect(throws: Never.self, place) { try edit.result?.get() }
            try expectFolderOfEdit(on: disk, place)
            try expectSound(result, on: disk, trees, place)
        }
    }

    /// The same, after another process has made the copy begin again.
    @Test func editWhileACopyBeginsAgainIsInItOrNot() throws {
        var sweep = Sweep()
        let start = try Tree.small.disk(.rewrite)
        let count = try callsOfCopy(start)
        var copies = 0
        for first in sweep.numbers(below: count / 10, step: 10).map({ $0 * 10 }) {
            for call in sweep.numbers(below: count + 120, step: 24) {
                let disk = MemoryFileSystem(start)
                let commit = CallInterruption(before: first) {
                    let other = try Session(
                        on: ProcessFileSystem(disk), .rewrite, lockTimeout: .milliseconds(5))
                    try other.projects.append(Box(id: 21, folderName: "Zz"))
                    try other.finish()
                }
                let edit = interruption(byEditOn: disk, before: call)
                let result = Result {
                    try copy(
                        on: edit.process(on: commit.process(on: disk)), lockTimeout: .seconds(5))
                }
                if case .success = result, commit.result != nil, edit.result != nil { copies += 1 }
                try expectFolderOfEdit(on: disk, "\(first), edited before \(call), \(sweep)")
            }
        }
        #expect(copies > 0 || TestSize.current == .sample)
    }

    private static let edit = Step.byHand(.editProjects)

    private func interruption(byEditOn disk: MemoryFileSystem, before call: Int) -> CallInterruption
    {
        CallInterruption(before: call) {
            try Self.edit.perform(in: Session(on: ProcessFileSystem(disk), .rewrite))
        }
    }

    /// Expects that a copy has the folder of the project if it has the project.
    ///
    /// A missing folder would be made once somebody looks for its collections.
    private func expectFolderOfEdit(on disk: MemoryFileSystem, _ place: Comment) throws {
        guard let copy = try? disk.openFolder(at: Self.copyURL.path) else { return }
        let index = try disk.readAll("projects.json", in: copy) ?? []
        let folder = Box.edited.folderName
        let hasFolder = try disk.status(of: FileName(validating: folder), in: copy) != nil
        let isListed = String(decoding: index, as: UTF8.self).contains("\"\(folder)\"")
        #expect(hasFolder == isListed, place)
    }

    @Test func copyAfterAKillIsOfOneState() throws {
        var sweep = Sweep()
        for scenario in sweep.some(Self.scenarios, 12) {
            let rehearsal = try Rehearsal(of: scenario)
            for call in sweep.numbers(below: rehearsal.calls, step: 57) {
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
                #expect(try allowed.map(\.projects).contains(boxes(ofCopyOn: disk, place)), place)
            }
        }
    }
}

/// An action that runs before the call with a number, on another thread: it stands for another process, and the
/// call may be inside the closure of a write.
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

    func process(on disk: any FileSystem) -> ProcessFileSystem {
        ProcessFileSystem(disk) { [self] number in
            if number == call {
                onNewThread { [self] in
                    let result = Result { try action() }
                    outcome.withLock { $0 = result }
                }
            }
            return .works
        }
    }
}
