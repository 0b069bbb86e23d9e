import Testing

@testable import Directory

extension Directory.Items {
    /// Items without lines.
    init(of items: [Item]) {
        self.init(Elements.build(items.map { ItemElement(item: $0, line: []) }).elements)
    }

    /// Expects the invariants of both trees, and that they have the same elements.
    func expectInvariants(_ location: SourceLocation = #_sourceLocation) {
        do {
            try elements.checkInvariants()
        } catch {
            Issue.record(error, sourceLocation: location)
        }
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
