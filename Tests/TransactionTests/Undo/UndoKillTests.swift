import DirectoryTestSupport
import FileSystem
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Kills the process before each call of an undo, and of a redo after it.
struct UndoKillTests {
    /// An operation that is taken back, in a store whose commits are written in some mode.
    struct Case: Sendable, CustomStringConvertible {
        let operation: StoreOperation
        let mode: CommitMode
        /// What is interrupted, which comes last.
        let taking: [StoreOperation]

        static let all = StoreOperation.undoable.flatMap { operation in
            operation.modes.flatMap { mode in
                [[.undo], [.undo, .redo]].map { Case(operation: operation, mode: mode, taking: $0) }
            }
        }

        var description: String {
            "\(taking.map(\.rawValue).joined(separator: ", ")) of \(operation), \(mode)"
        }
    }

    private struct Run {
        let disk: MemoryFileSystem
        var calls = 0
        /// What the store may hold, the newest last.
        var trees: [Tree] = []
        var isDead = false
        var error: (any Error)?
    }

    /// Performs a case, and gives each call of the operation that comes last to `fate`.
    private func run(
        _ scenario: Case, on image: MemoryFileSystem.Image,
        fate: @escaping @Sendable (Int) -> ProcessFileSystem.Fate
    ) throws -> Run {
        let begin = Mutex(Int.max)
        var run = Run(disk: MemoryFileSystem(image))
        let process = ProcessFileSystem(run.disk) { number in
            let begin = begin.withLock { $0 }
            return number < begin ? .works : fate(number - begin)
        }
        let store = try Session(on: process, scenario.mode, undoLimit: 5)
        var tree = Tree.large
        for operation in [scenario.operation] + scenario.taking {
            if operation == scenario.taking.last {
                store.waitForBackground()
                begin.withLock { $0 = process.calls }
            }
            let next = try #require(operation.applied(to: tree))
            run.trees = [tree.visible, next.visible]
            do {
                try operation.step(on: tree)?.perform(in: store)
            } catch {
                run.error = error
                break
            }
            run.trees = [next.visible]
            tree = next
        }
        store.waitForBackground()
        run.calls = process.calls - begin.withLock { $0 }
        run.isDead = process.isDead
        // It does not end in order, which would let go what it keeps.
        process.kill()
        return run
    }

    /// Expects that the next process finds one of the states, all files, and nothing else.
    private func expectSound(_ run: Run, _ scenario: Case, _ place: Comment) throws {
        try run.disk.buryOwners()
        let store = try Session(on: ProcessFileSystem(run.disk), scenario.mode)
        let tree = try store.tree()
        #expect(run.trees.contains(tree), "\(place): \(tree)")
        #expect(try store.findings() == [], place)
        store.waitForBackground()
        #expect(run.disk.image.leftovers == [], place)
        #expect(try store.tree() == tree, place)
    }

    @Test(arguments: Sweep.cases(Case.all, sample: 1, gate: 30))
    func undoIsAllOrNothing(_ scenario: Case) throws {
        var sweep = Sweep(for: scenario)
        let image = try Tree.large.disk(scenario.mode)
        let rehearsal = try run(scenario, on: image) { _ in .works }
        #expect(rehearsal.error == nil && rehearsal.calls > 8)
        try expectSound(rehearsal, scenario, "\(scenario), not disturbed")
        for call in sweep.numbers(below: rehearsal.calls, step: 96) {
            let killed = try run(scenario, on: image) { $0 >= call ? .killed : .works }
            try expectSound(killed, scenario, "\(scenario) killed before call \(call), \(sweep)")
        }
    }

    /// A process that goes on after a failed undo can try again, and nothing is lost.
    @Test(arguments: Sweep.cases(Case.all, sample: 1, gate: 30))
    func failedUndoCanBeRepeated(_ scenario: Case) throws {
        var sweep = Sweep(for: scenario)
        let image = try Tree.large.disk(scenario.mode)
        let calls = try run(scenario, on: image) { _ in .works }.calls
        for call in sweep.numbers(below: calls, step: 96) {
            let place: Comment = "\(scenario), call \(call) fails, \(sweep)"
            let disk = MemoryFileSystem(image)
            let fault = Mutex(Int.max)
            let process = ProcessFileSystem(disk) { number in
                number == fault.withLock { $0 } ? .fails(.ioError) : .works
            }
            let store = try Session(on: process, scenario.mode, undoLimit: 5)
            var tree = Tree.large
            for operation in [scenario.operation] + scenario.taking {
                if operation == scenario.taking.last {
                    store.waitForBackground()
                    fault.withLock { $0 = process.calls + call }
                }
                let next = try #require(operation.applied(to: tree))
                do {
                    let result = Result { try operation.step(on: tree)?.perform(in: store) }
                    store.waitForBackground()
                    fault.withLock { $0 = .max }
                    try result.get()
                } catch let error as DirectoryError {
                    if error.code == .inDoubt { break }
                    #expect(try store.tree() == tree.visible, place)
                    do {
                        try operation.step(on: tree)?.perform(in: store)
                    } catch let error as DirectoryError where error.code == .undoConflict {
                        // The files could not be put back where they waited.
                        #expect(try store.tree() == tree.visible, place)
                        break
                    }
                }
                tree = next
                #expect(try store.tree() == tree.visible, place)
            }
            store.waitForBackground()
            #expect(try Session(on: ProcessFileSystem(disk), scenario.mode).findings() == [], place)
        }
    }
}

extension Session {
    /// Waits for the work that commits left to the background.
    func waitForBackground() {
        for case let collection as any Background in collections { collection.wait() }
    }
}

/// A collection of any type that leaves work to the background.
private protocol Background {
    func wait()
}

extension Directory: Background {
    fileprivate func wait() { core.background.wait() }
}
