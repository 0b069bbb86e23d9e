import Directory
package import FileSystem
package import StoreModel
import TestSupport
import Testing

/// An operation that tests interrupt, in a store whose commits are written in some mode.
package struct Scenario: Sendable, CustomStringConvertible {
    package let operation: StoreOperation
    package let mode: CommitMode
    package let before = Tree.large.visible
    package let after: Tree

    // An undo needs an operation before it: see `UndoKillTests`.
    package static let all = StoreOperation.allCases.filter { ![.undo, .redo].contains($0) }
        .flatMap { operation in
            operation.modes.map { Scenario(operation, $0) }
        }

    private init(_ operation: StoreOperation, _ mode: CommitMode) {
        self.operation = operation
        self.mode = mode
        after = (operation.applied(to: .large) ?? .large).visible
    }

    package var description: String { "\(operation), \(mode)" }

    package func perform(in store: Session) throws {
        try operation.step(on: .large)?.perform(in: store)
    }

    package func store(on fileSystem: any FileSystem) throws -> Session {
        try Session(on: fileSystem, mode)
    }

    /// What another process reads from `disk`.
    package func tree(on disk: MemoryFileSystem) throws -> Tree {
        try store(on: ProcessFileSystem(disk)).tree()
    }
}

/// A scenario that ran without interruption.
package struct Rehearsal {
    /// The disk before the operation.
    package let disk: MemoryFileSystem.Image
    /// The number of system calls from the start until nothing is left to do.
    package let calls: Int

    package init(of scenario: Scenario) throws {
        disk = try Tree.large.disk(scenario.mode)
        let changed = MemoryFileSystem(disk)
        let process = ProcessFileSystem(changed)
        let store = try scenario.store(on: process)
        try scenario.perform(in: store)
        try store.finish()
        calls = process.calls
        #expect(calls > 20)
        #expect(try scenario.tree(on: MemoryFileSystem(disk)) == scenario.before)
        #expect(try scenario.tree(on: changed) == scenario.after)
    }
}

extension Session {
    /// Writes the journals of what scenarios change into their indexes, and waits for work in the
    /// background.
    package func finish() throws {
        release()
        for boxes in [projects, archive] {
            try boxes.checkpoint()
            try boxes.load()
            for box in boxes.items { try boxes.child(.photos, of: box.id).checkpoint() }
        }
    }
}
