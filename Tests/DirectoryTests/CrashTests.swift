import Directory
import FileSystem
import Foundation
import TestSupport
import Testing

/// Kills the process before each of its system calls, with all that was written kept.
@Suite struct CrashTests {
    /// A disk on which a process began `change` and was killed before call `call`.
    private func disk(_ outcome: Outcome, killing scenario: Scenario, beforeCall call: Int) throws
        -> MemoryFileSystem
    {
        let disk = MemoryFileSystem(outcome.disk)
        let process = ProcessFileSystem(disk) { $0 >= call ? .killed : .works }
        let result = Result {
            let store = try scenario.store(on: process)
            try scenario.change.make(in: store)
            try store.finish()
        }
        // What goes on behind a commit takes a few calls more or less.
        #expect(
            process.isDead || process.calls > outcome.calls * 3 / 4,
            "\(scenario) did not get to call \(call): \(result)")
        return disk
    }

    private func expectSound(
        _ disk: MemoryFileSystem, _ allowed: [World], _ scenario: Scenario, _ place: Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let store = try scenario.store(on: ProcessFileSystem(disk))
        let world = try store.world()
        #expect(allowed.contains(world), "\(place): \(world)", sourceLocation: sourceLocation)
        #expect(try store.findings() == [], place, sourceLocation: sourceLocation)
        // The store goes on.
        let vega = Project(title: "Vega")
        try store.projects.append(vega)
        try store.projects.child(.photos, of: vega.id).insert(Data("v".utf8), name: "v")
        try store.finish()
        let left = try leftovers(in: disk)
        #expect(left == [], place, sourceLocation: sourceLocation)
        var expected = world
        expected.projects.append(.init(title: "Vega", photos: ["v": Data("v".utf8)]))
        let reopened = try scenario.store(on: ProcessFileSystem(disk)).world()
        #expect(reopened == expected, place, sourceLocation: sourceLocation)
    }

    /// The names of ours that nobody uses any more, but for stages that no commit began with.
    private func leftovers(in disk: MemoryFileSystem) throws -> [String] {
        func walk(_ folder: Handle) throws -> [String] {
            try disk.list(folder).flatMap { name -> [String] in
                let path = folder.path(of: name)
                let isFolder = try disk.status(of: name, in: folder)?.kind == .folder
                let inner = isFolder ? try walk(disk.openFolder(name, in: folder)) : []
                let isOurs = name.string == "intent" || name.string.hasSuffix(".tmp")
                return (isOurs || path.contains("/.trash/") ? [path] : []) + inner
            }
        }
        return try walk(disk.openFolder(at: "/store"))
    }

    @Test(arguments: Scenario.all) func eachChangeIsAllOrNothing(_ scenario: Scenario) throws {
        let outcome = try Outcome(of: scenario)
        #expect(outcome.calls > 20)
        for call in Sweep.numbers(below: outcome.calls, step: 9) {
            let disk = try disk(outcome, killing: scenario, beforeCall: call)
            try expectSound(
                disk, [outcome.before, outcome.after], scenario,
                "\(scenario) killed before call \(call)")
        }
    }

    @Test(arguments: Scenario.all) func recoveryCanBeKilledToo(_ scenario: Scenario) throws {
        let outcome = try Outcome(of: scenario)
        for call in Sweep.numbers(below: outcome.calls, step: 41) {
            for recoveryCall in Sweep.numbers(below: 100, step: 13) {
                let disk = try disk(outcome, killing: scenario, beforeCall: call)
                let process = ProcessFileSystem(disk) { $0 >= recoveryCall ? .killed : .works }
                let recovery = Result {
                    let store = try scenario.store(on: process)
                    _ = try store.world()
                    try store.finish()
                }
                try expectSound(
                    disk, [outcome.before, outcome.after], scenario,
                    "\(scenario) killed before call \(call), recovery before \(recoveryCall)")
                if case .success = recovery, !process.isDead { break }
            }
        }
    }
}
