import Testing

@testable import Directory

extension Directory.Items {
    /// Expects the invariants of both trees, and that they fit together.
    func expectInvariants(_ location: SourceLocation = #_sourceLocation) {
        do {
            try tree.checkInvariants()
            try labels.checkInvariants()
        } catch {
            Issue.record(error, sourceLocation: location)
        }
        let slots = tree.map { (label: $0.label, slot: Slot.of($0)) }
        #expect(slots.count == count, sourceLocation: location)
        var hashes: [UInt64: UInt] = [:]
        for (label, slot) in slots {
            let other = hashes.updateValue(UInt(bitPattern: slot.item.id.hashValue), forKey: label)
            #expect(other == nil, "two slots have the label \(label)", sourceLocation: location)
        }
        var entries: [HashTrie<UInt64>.Entry] = []
        labels.forEachBucket { entries += $0 }
        #expect(entries.count == count, sourceLocation: location)
        let isFound = entries.allSatisfy { hashes[$0.value] == $0.hash }
        #expect(isFound, "the map has other labels or hashes", sourceLocation: location)
    }
}

extension Array {
    /// Moves elements as `move(fromOffsets:toOffset:)` of SwiftUI does.
    mutating func move(_ offsets: [Int], to destination: Int) {
        let before = (0..<destination).filter { !offsets.contains($0) }
        let after = (destination..<count).filter { !offsets.contains($0) }
        self = (before + offsets + after).map { self[$0] }
    }
}
