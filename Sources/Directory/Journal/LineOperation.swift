/// A change of the list of elements that an index holds, each as its line of JSON.
///
/// Positions are those in the list as the operations before have left it.
enum LineOperation: Hashable, Sendable {
    /// A new line, before the one at the position.
    case insert(ArraySlice<UInt8>, at: Int)
    /// Another line in place of the one at the position.
    case replace(ArraySlice<UInt8>, at: Int)
    /// The line at the position goes; its CRC-32 tells which one that was.
    case remove(at: Int, checksum: UInt32)
}

extension LineOperation {
    /// About how many bytes it takes in a journal.
    var size: Int {
        switch self {
        case .insert(let line, _), .replace(let line, _): line.count + 10
        case .remove: 20
        }
    }

    /// Adds the operation to a journal record, as a line with its newline.
    func append(to bytes: inout [UInt8]) {
        switch self {
        case .insert(let line, let position):
            bytes += "+ \(position) ".utf8
            bytes += line
        case .replace(let line, let position):
            bytes += "= \(position) ".utf8
            bytes += line
        case .remove(let position, let checksum):
            bytes += "- \(position) \(checksum.hexadecimal)".utf8
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// The operation that `line`, without its newline, says; nil where it says none.
    init?(_ line: ArraySlice<UInt8>) {
        let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 1, let sign = parts[0].first,
            let position = Int(ascii: parts[1])
        else { return nil }
        switch sign {
        case UInt8(ascii: "+"): self = .insert(parts[2], at: position)
        case UInt8(ascii: "="): self = .replace(parts[2], at: position)
        case UInt8(ascii: "-"):
            guard let checksum = UInt32(hexadecimal: parts[2]) else { return nil }
            self = .remove(at: position, checksum: checksum)
        default: return nil
        }
    }
}

/// The elements of an index, which journal records change.
struct IndexElements {
    /// An element in a tree of such; its label is not used.
    private final class Element: Sendable {
        let line: ArraySlice<UInt8>

        init(_ line: ArraySlice<UInt8>) {
            self.line = line
        }
    }

    private var tree: SlotTree

    init(_ lines: some Sequence<ArraySlice<UInt8>>) {
        let entries = lines.map { SlotTree.Entry(label: 0, slot: Element($0)) }
        tree = SlotTree(leaves: SlotTree.leaves(ContiguousArray(entries)))
    }

    var lines: [ArraySlice<UInt8>] {
        tree.map { unsafeDowncast($0.slot, to: Element.self).line }
    }

    /// Applies an operation, or returns false where the list is not one that it was made for.
    mutating func apply(_ operation: LineOperation) -> Bool {
        switch operation {
        case .insert(let line, let position):
            guard position <= tree.count else { return false }
            tree.insert(.init(label: 0, slot: Element(line)), at: position)
        case .replace(let line, let position):
            guard position < tree.count else { return false }
            tree.replace(at: position, with: Element(line))
        case .remove(let position, let checksum):
            guard position < tree.count else { return false }
            let removed = unsafeDowncast(tree.remove(at: position).slot, to: Element.self)
            return CRC32.checksum(of: removed.line) == checksum
        }
        return true
    }
}

extension Int {
    /// The number that decimal digits spell; nil for anything else, also for signs.
    init?(ascii digits: some Collection<UInt8>) {
        guard !digits.isEmpty else { return nil }
        self = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            let (tens, isTooLarge) = multipliedReportingOverflow(by: 10)
            let (sum, isTooLargeNow) = tens.addingReportingOverflow(Int(digit) - 0x30)
            if isTooLarge || isTooLargeNow { return nil }
            self = sum
        }
    }
}

extension UInt32 {
    /// Eight digits.
    var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The number that eight digits spell, as ``hexadecimal`` writes them.
    init?(hexadecimal digits: some Collection<UInt8>) {
        guard digits.count == 8 else { return nil }
        let isLowercase = digits.allSatisfy { digit in
            (0x30...0x39).contains(digit) || (0x61...0x66).contains(digit)
        }
        guard isLowercase else { return nil }
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
