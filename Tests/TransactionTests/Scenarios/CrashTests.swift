import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Kills the process before each of its system calls; what it wrote stays on the disk.
struct CrashTests {
    /// What a killed process left.
    struct Crash {
        let disk: MemoryFileSystem.Image
        /// What the next process may find.
        let allowed: [Tree]
    }

    /// What a killed recovery left, and what it saw.
    private struct Recovery: Hashable {
        let disk: Int
        let seen: Tree?
    }

    /// Begins `scenario` in a process that is killed before call `call`.
    func crash(_ scenario: Scenario, _ rehearsal: Rehearsal, beforeCall call: Int) throws
        -> Crash
    {
        let disk = MemoryFileSystem(rehearsal.disk)
        let process = ProcessFileSystem(disk) { $0 >= call ? .killed : .works }
        var isAcknowledged = false
        let result = Result {
            let store = try scenario.store(on: process)
            try scenario.perform(in: store)
            isAcknowledged = true
            try store.finish()
        }
        // Background work takes a few calls more or less.
        #expect(
            process.isDead || process.calls > rehearsal.calls * 3 / 4,
            "\(scenario) did not get to call \(call): \(result)")
        return Crash(
            disk: disk.image,
            allowed: isAcknowledged ? [scenario.after] : [scenario.before, scenario.after])
    }

    /// Expects that the next process finds one of `allowed`, and that the store works.
    private func expectSound(
        _ disk: MemoryFileSystem, _ allowed: [Tree], _ scenario: Scenario,
        _ place: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let store = try scenario.store(on: ProcessFileSystem(disk))
        var tree = try store.tree()
        #expect(allowed.contains(tree), "\(place): \(tree)", sourceLocation: sourceLocation)
        #expect(try store.findings() == [], place, sourceLocation: sourceLocation)

        let vega = Box(id: 50, folderName: "Vega")
        for step in [Step.appendBox(vega, on: .projects), .importPhotos(["v"], into: [vega.id])] {
            try step.perform(in: store)
            try step.apply(to: &tree)
        }
        try store.finish()
        #expect(disk.image.leftovers == [], place, sourceLocation: sourceLocation)
        #expect(try scenario.tree(on: disk) == tree, place, sourceLocation: sourceLocation)
    }

    @Test(arguments: Sweep.cases(Scenario.all, sample: 1, gate: 24))
    func operationIsAllOrNothingAndLastsOnceAcknowledged(
        _ scenario: Scenario
    ) throws {
        var sweep = Sweep(for: scenario)
        let rehearsal = try Rehearsal(of: scenario)
        for call in sweep.numbers(below: rehearsal.calls, step: 120) {
            let crash = try crash(scenario, rehearsal, beforeCall: call)
            try expectSound(
                MemoryFileSystem(crash.disk), crash.allowed, scenario,
                "\(scenario) killed before call \(call), \(sweep)")
        }
    }

    @Test(arguments: Sweep.cases(Scenario.all, sample: 1, gate: 24))
    func killedRecoveryLosesNothing(
        _ scenario: Scenario
    ) throws {
        var sweep = Sweep(for: scenario)
        let rehearsal = try Rehearsal(of: scenario)
        for call in sweep.numbers(below: rehearsal.calls, step: 120) {
            let crash = try crash(scenario, rehearsal, beforeCall: call)
            var checked: Set<Recovery> = []
            for recoveryCall in sweep.numbers(below: 200, step: 39) {
                let disk = MemoryFileSystem(crash.disk)
                let process = ProcessFileSystem(disk) { $0 >= recoveryCall ? .killed : .works }
                var seen: Tree?
                let recovery = Result {
                    let store = try scenario.store(on: process)
                    seen = try store.tree()
                    try store.finish()
                }
                let found = Recovery(disk: disk.image.fingerprint, seen: seen)
                if checked.insert(found).inserted {
                    try expectSound(
                        disk, crash.allowed.filter { seen == nil || $0 == seen }, scenario,
                        """
                        \(scenario) killed before call \(call), recovery before \(recoveryCall), \
                        \(sweep)
                        """)
                }
                if case .success = recovery, !process.isDead { break }
            }
        }
    }
}
