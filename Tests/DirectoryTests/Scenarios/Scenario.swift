import Directory
import FileSystem
import StoreModel
import TestSupport
import Testing

/// An operation that tests interrupt, in a store whose commits are written in some mode.
struct Scenario: Sendable, CustomStringConvertible {
    let operation: StoreOperation
    let mode: CommitMode
    let before = Tree.large.visible
    let after: Tree

    // An undo needs an operation before it: see `UndoKillTests`.
    static let all = StoreOperation.allCases.filter { ![.undo, .redo].contains($0) }
        .flatMap { operation in
            CommitMode.allCases.map { Scenario(operation, $0) }
        }

    private init(_ operation: StoreOperation, _ mode: CommitMode) {
        self.operation = operation
        self.mode = mode
        after = (operation.applied(to: .large) ?? .large).visible
    }

    var description: String { "\(operation), \(mode)" }

    func perform(in store: Session) throws { try operation.step(on: .large)?.perform(in: store) }

    func store(on fileSystem: any FileSystem) throws -> Session {
        try Session(on: fileSystem, mode)
    }

    /// What another process reads from `disk`.
    func tree(on disk: MemoryFileSystem) throws -> Tree {
        try store(on: ProcessFileSystem(disk)).tree()
    }
}

/// A scenario that ran without interruption.
struct Rehearsal {
    /// The disk before the operation.
    let disk: MemoryFileSystem.Image
    /// The number of system calls from the start until nothing is left to do.
    let calls: Int

    init(of scenario: Scenario) throws {
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
    func finish() throws {
        release()
        for boxes in [projects, archive] {
            try boxes.checkpoint()
            try boxes.load()
            for box in boxes.items { try boxes.child(.photos, of: box.id).checkpoint() }
        }
    }
}
