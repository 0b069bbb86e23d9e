import StoreModel

/// Operations that one process performs, one after the other.
struct Workload: Hashable, Sendable, LosslessStringConvertible {
    var mode: CommitMode
    var operations: [StoreOperation]

    init(_ mode: CommitMode, _ operations: [StoreOperation]) {
        self.mode = mode
        self.operations = operations
    }

    /// The operations whose steps differ: updates and moves of boxes take the steps of those of
    /// notes, and an import of three files those of an import of two.
    ///
    /// Those that change several collections have workloads of their own: ``treeWrites(upTo:)``.
    static let simulated = StoreOperation.allCases.filter {
        ![.updateBox, .moveBox, .importThreePhotos].contains($0)
            && !StoreOperation.treeWrites.contains($0)
    }

    /// How many operations a process can take back: none if it does not do that, because what it
    /// removes would stay on the disk.
    var undoLimit: Int { operations.contains(.undo) ? operations.count : 0 }

    /// All possible workloads of up to `length` operations.
    ///
    /// Those with ``CommitMode/checkpoint`` have two operations at the most, because the first or
    /// the second operation removes each journal.
    static func all(upTo length: Int) -> [Workload] {
        CommitMode.durable.flatMap { mode in
            sequences(of: simulated, upTo: mode == .checkpoint ? min(length, 2) : length)
                .map { Workload(mode, $0) }
        }
    }

    /// The workloads of up to `length` operations, two at the most, with a write to several collections.
    static func treeWrites(upTo length: Int) -> [Workload] {
        let writes = StoreOperation.treeWrites
        let all = simulated + writes
        let pairs = all.flatMap { first in all.map { [first, $0] } }
            .filter { !Set(writes).isDisjoint(with: $0) && isPossible($0) }
        let sequences = writes.map { [$0] } + (length > 1 ? pairs : [])
        return CommitMode.durable.flatMap { mode in sequences.map { Workload(mode, $0) } }
    }

    /// The workloads of `length` operations or less that change relaxed collections.
    static func relaxed(upTo length: Int) -> [Workload] {
        sequences(of: StoreOperation.relaxed, upTo: length).map { Workload(.relaxed, $0) }
    }

    private static func sequences(of operations: [StoreOperation], upTo length: Int)
        -> [[StoreOperation]]
    {
        guard length > 0 else { return [] }
        let shorter = sequences(of: operations, upTo: length - 1)
        let longest = length == 1 ? [[]] : shorter.filter { $0.count == length - 1 }
        return shorter
            + longest.flatMap { start in operations.map { start + [$0] } }.filter(isPossible)
    }

    /// Whether each operation finds what it works on.
    var isPossible: Bool { Self.isPossible(operations) }

    private static func isPossible(_ operations: [StoreOperation]) -> Bool {
        var tree = Tree.small
        for operation in operations {
            guard let next = operation.applied(to: tree) else { return false }
            tree = next
        }
        return true
    }

    var description: String {
        "\(mode.rawValue) \(operations.map(\.rawValue).joined(separator: ","))"
    }

    init?(_ description: String) {
        let words = description.split(separator: " ")
        guard words.count == 2, let mode = CommitMode(rawValue: String(words[0])) else {
            return nil
        }
        let operations = words[1].split(separator: ",").map { StoreOperation(rawValue: String($0)) }
        guard !operations.contains(nil) else { return nil }
        self.init(mode, operations.compactMap(\.self))
    }
}
