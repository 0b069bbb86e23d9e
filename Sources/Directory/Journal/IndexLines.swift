/// The lines of an index, to which the operations of its journal are applied.
struct IndexLines {
    private final class Slot: Sendable {
        let line: ArraySlice<UInt8>

        init(_ line: ArraySlice<UInt8>) {
            self.line = line
        }
    }

    /// All labels are 0, because no line is looked up by its label.
    private var tree: SlotTree

    init(_ lines: some Sequence<ArraySlice<UInt8>>) {
        let entries = lines.map { SlotTree.Entry(label: 0, slot: Slot($0)) }
        tree = SlotTree(leaves: SlotTree.leaves(ContiguousArray(entries)))
    }

    var lines: [ArraySlice<UInt8>] {
        tree.map { unsafeDowncast($0.slot, to: Slot.self).line }
    }

    /// Applies `operation`; returns false if it cannot be an operation on these lines.
    mutating func apply(_ operation: LineOperation) -> Bool {
        switch operation {
        case .insert(let line, let position):
            guard position <= tree.count else { return false }
            tree.insert(.init(label: 0, slot: Slot(line)), at: position)
        case .replace(let line, let position):
            guard position < tree.count else { return false }
            tree.replace(at: position, with: Slot(line))
        case .remove(let position, let checksum):
            guard position < tree.count else { return false }
            let removed = unsafeDowncast(tree.remove(at: position).slot, to: Slot.self)
            return CRC32.checksum(of: removed.line) == checksum
        }
        return true
    }

    func checkInvariants() throws(InvariantViolation) { try tree.checkInvariants() }
}
