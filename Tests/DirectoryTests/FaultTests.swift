import Directory
import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

/// Lets each system call of a change fail, once or from then on.
@Suite struct FaultTests {
    struct Fault: Sendable, CustomStringConvertible {
        var code: Errno
        /// Whether all later calls fail as well.
        var isForEver = false
        /// Whether half of what is to be written is.
        var isShortWrite = false

        static let all: [Fault] = {
            let codes = [EIO, ENOSPC, EDQUOT, EMFILE, EROFS, EACCES, EINTR, ENOMEM, EXDEV]
            let whole = codes.map { Fault(code: Errno(rawValue: $0)) }
            let once = whole + [Fault(code: .noSpace, isShortWrite: true)]
            return once.flatMap { fault in
                var forEver = fault
                forEver.isForEver = true
                return [fault, forEver]
            }
        }()

        var description: String {
            "errno \(code.rawValue)\(isForEver ? " for ever" : "")\(isShortWrite ? ", half written" : "")"
        }

        func fate(ofCall call: Int, from first: Int) -> ProcessFileSystem.Fate {
            guard isForEver ? call >= first : call == first else { return .works }
            return isShortWrite ? .failsHalfway(code) : .fails(code)
        }
    }

    @Test(arguments: Scenario.all) func aFailedCallChangesNothingOrIsReported(
        _ scenario: Scenario
    ) throws {
        let outcome = try Outcome(of: scenario)
        var count = 0
        for call in Sweep.numbers(below: outcome.calls, step: 19) {
            for fault in Sweep.some(Fault.all, 4) {
                try sweep(scenario, outcome, call, fault)
                count += 1
            }
        }
        print("faults: \(scenario): \(count)")
    }

    private func sweep(
        _ scenario: Scenario, _ outcome: Outcome, _ call: Int, _ fault: Fault
    ) throws {
        let place: Comment = "\(scenario), \(fault) at call \(call)"
        let (before, after) = (outcome.before, outcome.after)
        let disk = MemoryFileSystem(outcome.disk)
        let mended = Mutex(false)
        let process = ProcessFileSystem(disk) { number in
            mended.withLock { $0 } ? .works : fault.fate(ofCall: number, from: call)
        }
        let store = try? scenario.store(on: process)
        let result = Result { if let store { try scenario.change.make(in: store) } }
        mended.withLock { $0 = true }
        guard let store else { return }
        let isInDoubt = isInDoubt(result)
        if !isInDoubt { try store.finish() }

        let other = try scenario.store(on: ProcessFileSystem(disk))
        let world = try other.world()
        switch result {
        case .success: #expect(world == after, place)
        case .failure where isInDoubt: #expect([before, after].contains(world), place)
        case .failure(let error): #expect(world == before, "\(place): \(error)")
        }
        #expect(try other.findings() == [], place)
        guard !isInDoubt else { return }
        #expect(try store.world() == world, "memory differs from disk after \(place)")
        try store.projects.append(Project(title: "Vega"))
        #expect(try other.project("Vega").title == "Vega", place)
    }

    private func isInDoubt(_ result: Result<Void, any Error>) -> Bool {
        guard case .failure(let error) = result else { return false }
        return (error as? DirectoryError)?.code == .inDoubt
    }
}
