import StoreModel

/// Two operations of two processes, and what happens to the first of them before one of its calls
/// of the file system.
struct Schedule: Hashable, Sendable, LosslessStringConvertible {
    enum Variant: String, CaseIterable, Sendable {
        /// The first process stops, the second does all it does, and the first goes on.
        case pause
        /// The same, but the first process is killed soon after it goes on.
        case pauseThenKill
        /// The first process is killed, and then the second does all it does.
        case kill
        /// The power is lost, and then the second process does all it does.
        case power
        /// The first process is killed, the second does what it does with what it sees, and then
        /// the power is lost.
        case cache

        var losesPower: Bool { self == .power || self == .cache }

        /// Whether the second process works while the first one lives.
        var isConcurrent: Bool { self == .pause || self == .pauseThenKill }
    }

    var mode: CommitMode
    var first: Operation
    var second: Operation
    var variant: Variant
    /// The number of the call, from the beginning of the first operation.
    var call: Int
    /// Decides what a power loss leaves, and in which order the tree is read at last.
    var seed: UInt64

    var description: String { "\(mode) \(first) \(variant) \(call) \(second) \(seed)" }

    /// The command that plays this schedule alone.
    var command: String { "EXPLORER='\(self)' swift test --filter ExplorerTests" }
}

extension Schedule {
    init?(_ description: String) {
        let words = description.split(separator: " ").map(String.init)
        guard words.count == 6, let mode = CommitMode(rawValue: words[0]),
            let first = Operation(rawValue: words[1]),
            let variant = Variant(rawValue: words[2]), let call = Int(words[3]),
            let second = Operation(rawValue: words[4]), let seed = UInt64(words[5])
        else { return nil }
        self.init(
            mode: mode, first: first, second: second, variant: variant, call: call, seed: seed)
    }
}
