import Directory
import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// What a killed process left, where nothing can be written: on a read-only volume, or in another user's store.
extension CrashTests {
    /// A load shows what it would show after the recovery; only what was on its way to another place cannot be opened.
    @Test(arguments: Sweep.cases(Scenario.all, sample: 2, gate: 12))
    func interruptedStoreIsReadWhereNothingCanBeWritten(_ scenario: Scenario) throws {
        var loadedCount = 0
        try forEachCrash(of: scenario) { process, allowed, place in
            let store = try scenario.store(on: process)
            do {
                let tree = try store.tree()
                #expect(allowed.contains(tree), "\(place): \(tree)")
                loadedCount += 1
            } catch is Refusal {
                // The folder of a container is not there.
                let error = #expect(throws: DirectoryError.self, place) {
                    for boxes in [store.projects, store.archive] {
                        for box in boxes.items { _ = try store.children(of: box.id, in: boxes) }
                    }
                }
                #expect(error?.code == .unfinishedChange, place)
            } catch let error as DirectoryError {
                #expect(error.code == .unfinishedChange, "\(place): \(error)")
            }
        }
        #expect(TestSize.current == .sample || loadedCount > 1)
    }

    /// A copy, and a store that is restored from the folder or merged with it, has all or nothing of the change.
    @Test(arguments: Sweep.cases(Scenario.all, sample: 2, gate: 12))
    func interruptedStoreIsCopiedWhereNothingCanBeWritten(_ scenario: Scenario) throws {
        let original = URL(filePath: "/store/projects")
        try forEachCrash(of: scenario) { process, allowed, place in
            func expectAllOrNothing(in path: String, _ make: (Session) throws -> Void) throws {
                let store = try Session(at: URL(filePath: path), on: process)
                do {
                    try make(store)
                    let found = try store.tree().projects
                    #expect(
                        allowed.contains { $0.projects == found }, "\(place), \(path): \(found)")
                } catch let error as DirectoryError where scenario.operation == .transferBox {
                    // The other collection is not in the copy.
                    #expect(
                        [.damagedCopy, .unfinishedChange].contains(error.code), "\(place): \(error)"
                    )
                } catch is Refusal where scenario.operation == .transferBox {}
            }
            try expectAllOrNothing(in: "/copied") { _ in
                let store = try scenario.store(on: process)
                try store.projects.copy(to: URL(filePath: "/copied/projects"))
            }
            try expectAllOrNothing(in: "/restored") { try $0.projects.restore(from: original) }
            try expectAllOrNothing(in: "/merged") {
                try $0.projects.merge(from: original) { _, _ in .takeTheirs }
            }
        }
    }

    /// Calls `body` with what a process can use that may only read what is left of a process that was killed in
    /// `scenario`.
    private func forEachCrash(
        of scenario: Scenario,
        _ body: (ProcessFileSystem, _ allowed: [Tree], _ place: Comment) throws -> Void
    ) throws {
        var sweep = Sweep(for: scenario)
        let rehearsal = try Rehearsal(of: scenario)
        for call in sweep.numbers(below: rehearsal.calls, step: 30) {
            let crash = try crash(scenario, rehearsal, beforeCall: call)
            let code: Errno = call.isMultiple(of: 2) ? .readOnly : .accessDenied
            let process = ProcessFileSystem(
                MemoryFileSystem(crash.disk), readOnlyBelow: "/store", failingWith: code)
            try body(process, crash.allowed, "\(scenario) killed before call \(call), \(sweep)")
        }
    }
}
