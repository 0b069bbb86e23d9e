import Foundation
import TestSupport
import Testing

@testable import DirectoryReplicas

/// Whatever is accepted of the files of others can be written and read again, however close it is to the limits.
@Suite struct LimitTests {
    private let device = DeviceID(high: 7, low: 0)

    /// Text with `count` bytes, as JSON that spells characters in any way.
    private func text(_ count: Int, _ random: inout SeededGenerator) -> String {
        // Of each character, the number of bytes and some spellings; the last ones grow when they are written again.
        let characters: [(Int, [String])] = [
            (1, ["a", "\\u0061"]), (1, ["\\\\", "\\u005c"]), (1, ["\\\"", "\\u0022"]),
            (1, ["\\/", "/"]), (1, ["%", "\\u0025"]), (2, ["é", "\\u00e9"]),
            (4, ["😀", "\\ud83d\\ude00"]), (1, ["\\b", "\\u0008"]), (1, ["\\n", "\\u000a"]),
        ]
        var (text, rest) = ("\"", count)
        // Many texts have one character only.
        let only = Bool.random(using: &random) ? characters.randomElement(using: &random) : nil
        while rest > 0 {
            let some = only ?? characters.randomElement(using: &random) ?? (1, ["a"])
            let (size, spellings) = some.0 <= rest ? some : (1, ["a"])
            text += spellings.randomElement(using: &random) ?? "a"
            rest -= size
        }
        return text + "\""
    }

    /// A length that is mostly near the limit.
    private func length(_ limit: Int, _ random: inout SeededGenerator) -> Int {
        let near = [1, limit / 6, limit / 6 + 1, limit - 1, limit, limit + 1, 2 * limit]
        return Int.random(in: 0..<8, using: &random) > 0
            ? 1 : near.randomElement(using: &random) ?? 1
    }

    /// A file with one segment of a few entries, some of whose members are as long as they may be, or longer.
    private func file(_ number: Int, _ random: inout SeededGenerator) -> [UInt8] {
        func some(_ limit: Int = Limits.key) -> String {
            text(length(limit, &random), &random)
        }
        func maybe(_ member: String) -> String {
            Bool.random(using: &random) ? ",\(member)" : ""
        }
        let hash = String(repeating: "a", count: 64)
        let levels = length(Limits.depth, &random)
        let deep = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        let entries = (0..<Int.random(in: 1...3, using: &random)).map { place in
            let isRoot = Bool.random(using: &random)
            let kind = isRoot ? "\"k\"" : "\"k/\(some(1020).dropFirst())"
            let key = Bool.random(using: &random) ? "\"\(place)\"" : some()
            let id = maybe("\"id\":\(key)")
            let set = "{\(some()):\(some()),\"x\":\(deep)\(id)}"
            let of = isRoot ? "null" : some()
            return "{\"in\":\(kind),\"id\":\(key)" + maybe("\"of\":\(of)")
                + maybe("\"at\":\"V\"") + maybe("\"set\":\(set)") + maybe("\"unset\":[\(some())]")
                + maybe("\"file\":[\(some()),\"\(hash)\",5]") + maybe("\"gone\":\"item\"") + "}\n"
        }
        let header =
            "{\"format\":1,\"device\":\"\(device)\",\"seq\":\(number),\"at\":5,\"seen\":{}"
            + maybe("\"name\":\(some())") + maybe("\"removes\":[\"\(device)\"]")
            + ",\"entries\":\(entries.count)}\n"
        return Array((header + entries.joined()).utf8)
    }

    @Test func whatIsAcceptedCanBeWrittenAndReadAgain() throws {
        var random = SeededGenerator(named: "limits")
        var (accepted, refused) = (0, 0)
        for _ in 0..<TestSize.choose(sample: 20, gate: 100, full: 100_000) {
            var local = LocalState(device: DeviceID(high: 1, low: 1), .init())
            for number in 1...3 {
                let bytes = file(number, &random)
                guard let segments = try? Segment.read(bytes[...]) else {
                    refused += 1
                    break
                }
                accepted += 1
                try local.apply(LocalRecord.joined(segments).asRead)
                let entries = segments.flatMap(\.entries)
                for entry in entries.flatMap(\.parts) { try checkThatOthersRead(entry) }
                try checkThatItIsReadAgain(local)
            }
        }
        print("limits: \(accepted) files accepted, \(refused) refused")
        #expect(accepted > 0 && refused > 0)
    }

    private func checkThatOthersRead(_ entry: SegmentEntry) throws {
        var writer = LineWriter()
        writer.line { entry.write(to: &$0) }
        let line = try #require(try Lines(writer.bytes[...], limit: Limits.entry).first)
        #expect(try SegmentEntry(LineFields(line)) == entry)
    }

    /// Checks what other devices and the next process read.
    private func checkThatItIsReadAgain(_ local: LocalState) throws {
        let bytes = local.state.bytes(of: local.device, number: 1, time: 5)
        #expect(try StateFile(bytes[...]).state == local.state)
        var old = local
        let records = try old.packedRecords(of: nil, time: 5).flatMap(\.bytes)
        var new = LocalState(device: local.device, .init())
        for record in try LocalRecord.read(records).records { try new.apply(record) }
        #expect(new.state == local.state)
    }

    /// The file that made the local state unreadable: its name grows when it is written again.
    @Test func aNameOfControlCharactersIsRead() throws {
        let name = String(repeating: "\\b", count: 683)
        let header =
            "{\"format\":1,\"device\":\"\(device)\",\"seq\":1,\"at\":5,\"seen\":{},\"name\":\"\(name)\","
            + "\"entries\":0}\n"
        var local = LocalState(device: DeviceID(high: 1, low: 1), .init())
        try local.apply(.joined(Segment.read(Array(header.utf8)[...])))
        try checkThatItIsReadAgain(local)
    }

    /// Of an item with several large members, each gets an entry.
    ///
    /// Tens of MiB take seconds in a debug build.
    @Test(.enabled(if: TestSize.current != .sample)) func anItemWithLargeMembersIsDivided() throws {
        var entry = SegmentEntry(ItemReference("k", .text("1")))
        entry.position = Position("V")
        let size = Limits.value - 2
        let values = ["a", "b"].map { name in
            "\"\(name)\":\"" + String(repeating: name, count: size) + "\""
        }
        entry.set = Array("{\(values.joined(separator: ","))}".utf8)[...]
        entry.unset = ["c"]
        let parts = entry.parts
        #expect(parts.count == 4)
        for part in parts { try checkThatOthersRead(part) }
        #expect(
            parts.compactMap(\.set).map { String(decoding: $0, as: UTF8.self) }
                == values.map { "{\($0)}" })
        let large = Array("{\"a\":\"\(String(repeating: "a", count: Limits.value))\"}".utf8)
        #expect(throws: FormatError.self) { try LineFields.checkMembers(of: large[...]) }
    }

    /// A register with the values of several devices may be longer than any entry.
    @Test(.enabled(if: TestSize.current != .sample)) func aMemberWithSeveralLargeValuesIsRead()
        throws
    {
        var state = MergeState()
        let line = Array("{\"a\":\"\(String(repeating: "x", count: Limits.value / 2))\"}".utf8)
        for number in 1...3 {
            let header = SegmentHeader(
                device: DeviceID(high: 2, low: UInt64(number)), number: 1, time: 5, seen: .init())
            var entry = SegmentEntry(ItemReference("k", .text("1")))
            entry.set = line[...]
            state.receive(Segment(header: header, entries: [entry]))
        }
        let bytes = state.bytes(of: device, number: 1, time: 5)
        #expect(bytes.count > Limits.entry)
        #expect(try StateFile(bytes[...]).state == state)
    }
}

extension Lines {
    fileprivate var first: ArraySlice<UInt8>? {
        get throws {
            var lines = self
            return try lines.next()
        }
    }
}
