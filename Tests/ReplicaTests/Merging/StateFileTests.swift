import DirectoryReplicas
import Foundation
import TestSupport
import Testing

/// Random states with items of several kinds, in containers, and the files that they are written to.
@Suite struct StateFileTests {
    /// A state that random segments of three devices give.
    private func state(_ random: inout SeededGenerator) -> MergeState {
        var state = MergeState()
        let containers = [UUID(), UUID()].map { ItemKey.uuid($0) } + [ItemKey(text: "text")]
        for _ in 0..<12 {
            let device = DeviceID(high: 7, low: .random(in: 0..<3, using: &random))
            let header = SegmentHeader(
                device: device, number: state.seen[device] + 1,
                time: .random(in: 0...9, using: &random),
                seen: Bool.random(using: &random) ? state.seen : .init())
            var entries: [ItemReference: SegmentEntry] = [:]
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let entry = entry(in: containers, &random)
                entries[ItemReference(entry.kind, entry.key)] = entry
            }
            state.receive(Segment(header: header, entries: Array(entries.values)))
        }
        return state
    }

    private func entry(
        in containers: [ItemKey], _ random: inout SeededGenerator
    ) -> SegmentEntry {
        func pick<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }
        let kind = pick(["projects", "projects/notes", "projects/tags"])
        let container = kind == "projects" ? nil : pick(containers)
        // An item with a key of another container has been moved.
        let other = kind == "projects" ? nil : pick(containers)
        let uuid = "6F9619FF-8B86-D011-B42D-00C04FC964F\(Int.random(in: 0...2, using: &random))"
        let id = pick(["a", "b/%", "c", uuid])
        let key = id == uuid ? ItemKey(text: id) : ItemKey(id: id, in: pick([container, other]))
        let run = Position.run(between: nil, and: nil, count: 1, using: &random)
        var entry = SegmentEntry(ItemReference(kind, key))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: entry.removed = pick([.item, .container])
        case 1: entry.set = Array(#"{"title":"x"}"#.utf8)[...]
        case 2: entry.position = run[0]
        case 3: entry.container = .some(container)
        default:
            entry.container = .some(container)
            // Some are equal.
            entry.position = pick([Position("V"), Position("W"), run[0]])
            let title = Int.random(in: 0...3, using: &random)
            entry.set = Array(#"{"id":"\#(id)","title":\#(title)}"#.utf8)[...]
        }
        return entry
    }

    @Test func aStateIsReadAsItWasWritten() throws {
        for seed in 0..<UInt64(TestSize.choose(sample: 20, gate: 250, full: 20_000)) {
            var random = SeededGenerator(seed: seed)
            let state = state(&random)
            let bytes = state.bytes(of: DeviceID(high: 7, low: 0), number: 3, time: 5)
            let read = try StateFile(bytes[...])
            #expect(read.state == state && read.state.contents == state.contents, "seed \(seed)")
            #expect(read.state.bytes(of: read.device, number: 3, time: 5) == bytes, "seed \(seed)")
        }
    }

    /// The lines of a state that say all of what they leave out, in any order.
    private func whole(_ bytes: [UInt8], _ random: inout SeededGenerator) throws -> [UInt8] {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Data($0) }
        var (kind, container, dot): (Any?, Any?, Any?)
        let items = try lines.dropFirst().map { line in
            var members = try #require(
                JSONSerialization.jsonObject(with: line) as? [String: Any])
            if let new = members["in"] { (kind, container) = (new, nil) }
            members["in"] = kind
            if let set = members["set"] as? [String: Any] {
                container = members["of"] ?? container
                dot = members["dot"] ?? dot
                (members["of"], members["dot"]) = (container, dot)
                if members["id"] == nil, let id = set["id"] as? String {
                    let key = (container as? String).map { ItemKey(text: $0) }
                    members["id"] =
                        UUID(uuidString: id)?.uuidString ?? ItemKey(id: id, in: key).text
                }
            }
            return try JSONSerialization.data(
                withJSONObject: members, options: .withoutEscapingSlashes)
        }
        let all = lines.prefix(1) + items.shuffled(using: &random)
        return all.flatMap { Array($0) + Array("\n".utf8) }
    }

    @Test func linesThatLeaveNothingOutAreTheSameInAnyOrder() throws {
        for seed in 0..<UInt64(TestSize.choose(sample: 8, gate: 80, full: 5000)) {
            var random = SeededGenerator(seed: seed)
            let state = state(&random)
            let bytes = state.bytes(of: DeviceID(high: 7, low: 0), number: 3, time: 5)
            let other = try whole(bytes, &random)
            let read = try StateFile(other[...]).state
            #expect(read == state && read.contents == state.contents, "seed \(seed)")
        }
    }
}
