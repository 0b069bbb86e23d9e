/// The lines of an index, to which the operations of its journal are applied.
struct IndexLines {
    /// All labels are 0, because no line is looked up by its label.
    private var tree: ElementTree

    init(_ lines: some Sequence<ArraySlice<UInt8>>) {
        let entries = lines.map { ElementTree.Entry(label: 0, element: LineElement($0)) }
        tree = ElementTree(leaves: ElementTree.leaves(ContiguousArray(entries)))
    }

    var lines: [ArraySlice<UInt8>] {
        tree.map(\.element.line)
    }

    /// Applies `operation`; returns false if it cannot be an operation on these lines.
    mutating func apply(_ operation: LineOperation) -> Bool {
        switch operation {
        case .insert(let line, let position):
            guard position <= tree.count else { return false }
            tree.insert(.init(label: 0, element: LineElement(line)), at: position)
        case .replace(let line, let position):
            guard position < tree.count else { return false }
            tree.replace(at: position, with: LineElement(line))
        case .remove(let position, let checksum):
            guard position < tree.count else { return false }
            let removed = tree.remove(at: position).element
            return CRC32.checksum(of: removed.line) == checksum
        }
        return true
    }

    func checkInvariants() throws(InvariantViolation) { try tree.checkInvariants() }
}
