import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

private let writes = Sweep.cases(
    JointScenario.allCases.filter(\.hasSeveralIndexes), sample: 1, gate: 4)

/// Calls that fail from the moment on in which a write to several collections is decided.
@Suite(.timeLimit(.minutes(30))) struct JointDecidedFaultTests {
    /// One call fails; that of number 0 is the one that decides.
    @Test(arguments: writes, Sweep.cases([Errno.noSpace, .ioError], sample: 1))
    func whatIsInDoubtIsEndedByAnotherProcess(_ write: JointScenario, _ code: Errno) throws {
        let (before, after) = try JointStore.states(of: write)
        var sweep = Sweep(for: "\(write) \(code)")
        for number in [0] + sweep.numbers(below: 1_000, step: 30) {
            let store = try JointStore()
            let calls = CallsFromDecision { called, _ in called == number ? code : nil }
            let outcome = try outcome(of: write, store, calls)
            let comment: Comment = "\(write), call \(number) fails with \(code)"
            switch outcome {
            // The write has taken place, or it was undone before its first index changed.
            case nil, .inDoubt: #expect(try store.contents() == after, comment)
            case _: #expect(try store.contents() == before, comment)
            }
            if number == 0 { #expect(outcome != nil && outcome != .inDoubt, comment) }
            try store.expectClean(comment)
            if calls.count <= number { return }
        }
    }

    /// From a call on, all calls fail that need space, or all that reach the drive.
    @Test(arguments: writes, Sweep.cases([Errno.noSpace, .ioError], sample: 1))
    func aVolumeThatStaysFullOrBrokenLosesNothing(_ write: JointScenario, _ code: Errno) throws {
        let (before, after) = try JointStore.states(of: write)
        let names =
            code == .noSpace
            ? ["create", "make", "write", "clone", "copy", "link"] : ["sync", "write", "flush"]
        var sweep = Sweep(for: "\(write) \(code)")
        for number in sweep.numbers(below: 1_000, step: 16) {
            let store = try JointStore()
            let calls = CallsFromDecision { called, line in
                called >= number && names.contains(where: line.hasPrefix) ? code : nil
            }
            let outcome = try outcome(of: write, store, calls)
            let comment: Comment = "\(write), \(code) from call \(number) on"
            let found = try store.contents()
            switch outcome {
            case nil: #expect(found == after, comment)
            case .inDoubt:
                #expect(found == after || (found == before && !calls.hasChangedAnIndex), comment)
            case _: #expect(found == before, comment)
            }
            try store.expectClean(comment)
            if calls.count <= number { return }
        }
    }

    /// Runs `write` in a process whose calls fail, and returns the code of its error; nil if it succeeded.
    private func outcome(of write: JointScenario, _ store: JointStore, _ calls: CallsFromDecision)
        throws
        -> DirectoryError.Code?
    {
        let process = calls.makeProcess()
        let boxes = try store.boxes(on: process)
        try boxes.load()
        // It does not close what it has open.
        defer { withExtendedLifetime(boxes) { process.kill() } }
        do {
            try write.run(boxes)
            return nil
        } catch let error as DirectoryError {
            return error.code
        }
    }
}

/// The calls of a process since it decided a write to several collections, the first of which has number 0.
private final class CallsFromDecision: Sendable {
    private let state = Mutex((count: 0, isDecided: false, hasChangedAnIndex: false))
    private let errno: @Sendable (Int, String) -> Errno?

    /// `errno` gets the number of each call and its line in the log.
    init(_ errno: @escaping @Sendable (Int, String) -> Errno?) { self.errno = errno }

    var count: Int { state.withLock { $0.count } }
    /// Whether an index beside the home has its new lines.
    var hasChangedAnIndex: Bool { state.withLock { $0.hasChangedAnIndex } }

    func makeProcess() -> ProcessFileSystem {
        ProcessFileSystem(LocalFileSystem()) { [self] _, line in
            state.withLock { state in
                state.isDecided = state.isDecided || line.decidesTree
                guard state.isDecided else { return .works }
                defer { state.count += 1 }
                if let errno = errno(state.count, line) { return .fails(errno) }
                let isOther = state.count > 0 && line.decidesTree
                state.hasChangedAnIndex = state.hasChangedAnIndex || isOther
                return .works
            }
        }
    }
}
