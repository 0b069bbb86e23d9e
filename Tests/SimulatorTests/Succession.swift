import FileSystem
import StoreModel
import TestSupport

/// A process that is killed in the middle of an operation, and the next one, which sees all that
/// the first one wrote, although not all of it is durable.
struct Succession: Hashable, Sendable, LosslessStringConvertible {
    /// The number of events before the kill.
    let kill: Int
    /// What the next process does; nil if it opens all collections and verifies them.
    let operation: StoreOperation?

    var description: String { "\(kill)-\(operation?.rawValue ?? "open")" }

    init(kill: Int, operation: StoreOperation?) {
        self.kill = kill
        self.operation = operation
    }

    init?(_ description: String) {
        let parts = description.split(separator: "-").map(String.init)
        guard parts.count == 2, let kill = Int(parts[0]) else { return nil }
        self.init(kill: kill, operation: StoreOperation(rawValue: parts[1]))
        guard operation != nil || parts[1] == "open" else { return nil }
    }
}

extension Recording {
    /// Kills the process of `dead` in its last operation, and goes on with the next process.
    ///
    /// - Returns: Nil if the next process finds nothing to perform its operation on.
    init?(
        _ dead: Recording, killed succession: Succession, _ mode: CommitMode
    ) throws {
        let events = dead.events.prefix(succession.kill)
        let visible = dead.start.visible(after: events)
        var found = try Session(on: MemoryFileSystem(visible.buryingKeepers()), mode).tree()
        guard dead.trees.contains(found) else {
            throw Violation("after the kill it holds \(found)")
        }
        found.lastNumber = 100
        let disk = RecordedDisk(after: events, on: dead.start)
        guard let new = try disk.record(succession, mode, holding: found) else { return nil }
        let step = succession.operation?.step(on: found) ?? .open
        let possible = Possible(dead.trees, step, new)
        let wasAcknowledged = dead.acknowledgements(at: succession.kill) > 0
        self.init(
            start: dead.start, events: disk.events, trees: possible.trees,
            allowed: possible.allowed(wasAcknowledged), begin: succession.kill)
    }
}

extension RecordedDisk {
    /// Records what the next process does, and its end.
    ///
    /// - Returns: What the store holds afterwards; nil if there is nothing to do.
    fileprivate func record(
        _ succession: Succession, _ mode: CommitMode, holding found: Tree
    ) throws -> Tree? {
        try buryOwners(inTrash: true)
        let store = try Session(on: self, mode)
        guard let operation = succession.operation else {
            _ = try store.tree()
            _ = try store.findings()
            store.waitForBackground()
            return found.visible
        }
        guard operation.applied(to: found) != nil else { return nil }
        return try record(operation, in: store, holding: found).visible
    }
}

/// What a store may hold after an operation that was killed and one of the next process.
private struct Possible {
    /// Without the operation of the next process, then with it.
    let trees: [Tree]
    private let new: Int

    /// - Parameters:
    ///   - dead: The trees before and after the operation that was killed.
    ///   - step: What the next process did to one of the two.
    ///   - new: What came of it.
    init(_ dead: [Tree], _ step: Step, _ new: Tree) {
        self.new = dead.count
        // If the second operation changed what the first one made, the first cannot be lost.
        trees = dead + [new] + dead.map { step.applied(to: $0) ?? new }
    }

    /// What is allowed before and after the acknowledgement of the second operation.
    func allowed(_ firstWasAcknowledged: Bool) -> [Set<Int>] {
        let (before, after) = (0, new - 1)
        let first: Set = firstWasAcknowledged ? [after] : [before, after]
        let second = Set([new] + first.map { $0 + new + 1 })
        return [first.union(second), second]
    }
}
