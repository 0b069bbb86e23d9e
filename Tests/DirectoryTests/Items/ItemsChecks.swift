import Testing

@testable import Directory

extension Directory.Items {
    /// Expects what the types of a snapshot promise about themselves.
    func check(_ location: SourceLocation = #_sourceLocation) {
        var faults: [String] = []
        let entries = Array(tree)
        if entries.count != count { faults.append("the count is wrong") }
        let pairs = zip(entries, entries.dropFirst())
        if !pairs.allSatisfy({ $0.label < $1.label }) {
            faults.append("the labels do not ascend")
        }
        tree.root.check(isRoot: true, &faults)
        let found = labels.root.check(depth: 0, prefix: 0, &faults)
        let hashes = entries.map { UInt(bitPattern: Slot.of($0).item.id.hashValue) }
        let expected = Dictionary(zip(entries.map(\.label), hashes)) { one, _ in one }
        if expected != found {
            faults.append("the labels are not those of the slots")
        }
        let unencoded = entries.map(Slot.of).filter { $0.line == nil }.map(\.item.id)
        if let known = self.unencoded, Set(unencoded) != known {
            faults.append("the unencoded ids are wrong")
        }
        #expect(faults.isEmpty, sourceLocation: location)
    }
}

extension SlotTree.Node {
    /// Returns the depth below this node and the number of its slots.
    @discardableResult
    func check(isRoot: Bool = false, _ faults: inout [String]) -> (depth: Int, count: Int) {
        if !entries.isEmpty && !children.isEmpty { faults.append("leaf and branch at once") }
        if width > SlotTree.capacity { faults.append("a node of width \(width)") }
        if !isRoot && width == 0 { faults.append("an empty node") }
        if isRoot && children.count == 1 { faults.append("a root with one child") }
        for (one, two) in zip(children, children.dropFirst())
        where one.node.width + two.node.width <= SlotTree.mergeWidth {
            faults.append("narrow siblings")
        }
        var (depths, total): (Set<Int>, Int) = ([], entries.count)
        for child in children {
            let (depth, count) = child.node.check(&faults)
            if child.label != child.node.firstLabel { faults.append("a wrong first label") }
            if child.count != count { faults.append("a wrong count") }
            depths.insert(depth)
            total += count
        }
        if depths.count > 1 { faults.append("leaves at several depths") }
        return ((depths.first ?? 0) + 1, total)
    }
}

extension HashTrie<UInt64>.Node {
    /// Returns the hashes by label; `prefix` is the part of them that led here.
    func check(depth: Int, prefix: UInt, _ faults: inout [String]) -> [UInt64: UInt] {
        if !entries.isEmpty && !children.isEmpty { faults.append("bucket and branch at once") }
        if ![0, 32].contains(children.count) { faults.append("\(children.count) children") }
        if entries.count > HashTrie<UInt64>.capacity && depth < 12 {
            faults.append("a wide bucket")
        }
        let mask = (UInt(1) << UInt(5 * depth)) - 1
        if entries.contains(where: { $0.hash & mask != prefix }) {
            faults.append("a hash in the wrong bucket")
        }
        var hashes = Dictionary(entries.map { ($0.value, $0.hash) }) { one, _ in
            faults.append("two hashes for one label")
            return one
        }
        for (number, child) in children.enumerated() {
            let prefix = prefix | UInt(number) << UInt(5 * depth)
            hashes.merge(child.check(depth: depth + 1, prefix: prefix, &faults)) { one, _ in one }
        }
        return hashes
    }
}

extension Array {
    /// Moves elements as SwiftUI's `move(fromOffsets:toOffset:)` does.
    mutating func move(_ offsets: [Int], to destination: Int) {
        let before = (0..<destination).filter { !offsets.contains($0) }
        let after = (destination..<count).filter { !offsets.contains($0) }
        self = (before + offsets + after).map { self[$0] }
    }
}
