import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// Lets each system call of an operation fail, once or from then on.
struct FaultTests {
    struct Fault: Sendable, CustomStringConvertible {
        var code: Errno
        /// Whether all later calls fail as well.
        var isPermanent = false
        /// Whether a failing write writes the first half of its bytes.
        var isShortWrite = false

        static let all: [Fault] = {
            let codes = [EIO, ENOSPC, EDQUOT, EMFILE, EROFS, EACCES, EINTR, ENOMEM, EXDEV]
            let whole = codes.map { Fault(code: Errno(rawValue: $0)) }
            let once = whole + [Fault(code: .noSpace, isShortWrite: true)]
            return once.flatMap { fault in
                var permanent = fault
                permanent.isPermanent = true
                return [fault, permanent]
            }
        }()

        var description: String {
            "errno \(code.rawValue)\(isPermanent ? " from then on" : "")\(isShortWrite ? ", half written" : "")"
        }

        func fate(ofCall call: Int, from first: Int) -> ProcessFileSystem.Fate {
            guard isPermanent ? call >= first : call == first else { return .works }
            return isShortWrite ? .failsHalfway(code) : .fails(code)
        }
    }

    @Test(arguments: Sweep.cases(Scenario.all, sample: 1, gate: 16))
    func failedOperationChangesNothingOrIsInDoubt(
        _ scenario: Scenario
    ) throws {
        var sweep = Sweep(for: scenario)
        let rehearsal = try Rehearsal(of: scenario)
        var count = 0
        for call in sweep.numbers(below: rehearsal.calls, step: 72) {
            for fault in sweep.some(Fault.all, 4) {
                try expectSound(
                    scenario, rehearsal, call, fault,
                    "\(scenario), \(fault) at call \(call), \(sweep)")
                count += 1
            }
        }
        print("faults: \(scenario): \(count)")
    }

    private func expectSound(
        _ scenario: Scenario, _ rehearsal: Rehearsal, _ call: Int, _ fault: Fault, _ place: Comment
    ) throws {
        let disk = MemoryFileSystem(rehearsal.disk)
        let isMended = Atomic(false)
        let process = ProcessFileSystem(disk) { number in
            isMended.load(ordering: .relaxed) ? .works : fault.fate(ofCall: number, from: call)
        }
        let opened = Result { try scenario.store(on: process) }
        let result = Result { try scenario.perform(in: opened.get()) }
        isMended.store(true, ordering: .relaxed)
        let isInDoubt = isInDoubt(result)
        let store = try? opened.get()
        if !isInDoubt { try store?.finish() }

        let other = try scenario.store(on: ProcessFileSystem(disk))
        let tree = try other.tree()
        switch result {
        case .success: #expect(tree == scenario.after, place)
        case .failure where isInDoubt:
            #expect([scenario.before, scenario.after].contains(tree), place)
        case .failure(let error): #expect(tree == scenario.before, "\(place): \(error)")
        }
        #expect(try other.findings() == [], place)
        if isInDoubt { return }
        let next = try store ?? scenario.store(on: process)
        #expect(try next.tree() == tree, "memory differs from disk after \(place)")
        let vega = Box(id: 50, folderName: "Vega")
        try next.projects.append(vega)
        try other.projects.load()
        #expect(other.projects.items.last == vega, place)
    }

    private func isInDoubt(_ result: Result<Void, any Error>) -> Bool {
        guard case .failure(let error) = result else { return false }
        return (error as? DirectoryError)?.code == .inDoubt
    }
}
