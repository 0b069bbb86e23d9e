import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Kills the process before each of its system calls; what it wrote stays on the disk.
@Suite struct CrashTests {
    /// What a killed process left.
    private struct Crash {
        let disk: MemoryFileSystem
        /// What the next process may find.
        let allowed: [StoreContents]
    }

    /// Begins `scenario` in a process that is killed before call `call`.
    private func crash(_ scenario: Scenario, _ rehearsal: Rehearsal, beforeCall call: Int) throws
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
            disk: disk,
            allowed: isAcknowledged ? [scenario.after] : [scenario.before, scenario.after])
    }

    /// Expects that the next process finds one of `allowed`, and that the store works.
    private func expectSound(
        _ disk: MemoryFileSystem, _ allowed: [StoreContents], _ scenario: Scenario,
        _ place: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let store = try scenario.store(on: ProcessFileSystem(disk))
        var contents = try store.contents()
        #expect(allowed.contains(contents), "\(place): \(contents)", sourceLocation: sourceLocation)
        #expect(try store.findings() == [], place, sourceLocation: sourceLocation)

        let vega = StoreContents.StoredBox(
            box: Box(id: 50, folderName: "Vega"), photos: [.init(name: "v", bytes: Data("v".utf8))])
        try store.boxes.append(vega.box)
        try store.album(of: vega.box).insert(vega.photos[0].bytes, name: vega.photos[0].name)
        try store.finish()
        #expect(disk.image.leftovers == [], place, sourceLocation: sourceLocation)
        contents.boxes.append(vega)
        #expect(
            try scenario.contents(of: disk) == contents, place, sourceLocation: sourceLocation)
    }

    @Test(arguments: Scenario.all) func operationIsAllOrNothingAndLastsOnceAcknowledged(
        _ scenario: Scenario
    ) throws {
        var sweep = Sweep()
        let rehearsal = try Rehearsal(of: scenario)
        for call in sweep.numbers(below: rehearsal.calls, step: 9) {
            let crash = try crash(scenario, rehearsal, beforeCall: call)
            try expectSound(
                crash.disk, crash.allowed, scenario,
                "\(scenario) killed before call \(call), \(sweep)")
        }
    }

    @Test(arguments: Scenario.all) func killedRecoveryLosesNothing(_ scenario: Scenario) throws {
        var sweep = Sweep()
        let rehearsal = try Rehearsal(of: scenario)
        for call in sweep.numbers(below: rehearsal.calls, step: 41) {
            for recoveryCall in sweep.numbers(below: 100, step: 13) {
                let crash = try crash(scenario, rehearsal, beforeCall: call)
                let process = ProcessFileSystem(crash.disk) {
                    $0 >= recoveryCall ? .killed : .works
                }
                var seen: StoreContents?
                let recovery = Result {
                    let store = try scenario.store(on: process)
                    seen = try store.contents()
                    try store.finish()
                }
                try expectSound(
                    crash.disk, crash.allowed.filter { seen == nil || $0 == seen }, scenario,
                    """
                    \(scenario) killed before call \(call), recovery before \(recoveryCall), \
                    \(sweep)
                    """)
                if case .success = recovery, !process.isDead { break }
            }
        }
    }
}
