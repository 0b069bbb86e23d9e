import DirectoryReplicas
import Foundation
import Testing
import TestSupport

/// Random histories of devices that see each other's segments in part, and the states that follow from them.
struct History {
    private var random: SeededGenerator
    private(set) var states: [MergeState]
    private(set) var segments: [Segment] = []
    private let devices: [DeviceID]
    private let keys = (0..<4).map { ItemKey(text: "item\($0)") }
    var items: [ItemReference] { keys.map { ItemReference("projects", $0) } }

    init(seed: UInt64, devices count: Int = 3, rules: MergeRules = .init()) {
        random = SeededGenerator(seed: seed)
        devices = (0..<count).map { DeviceID(high: 7, low: UInt64($0)) }
        states = devices.map { _ in MergeState(rules) }
    }

    /// Writes something on a device, or brings what one device has to another.
    mutating func step() throws {
        let device = Int.random(in: 0..<devices.count, using: &random)
        if Bool.random(using: &random) {
            write(on: device)
        } else {
            let other = Int.random(in: 0..<devices.count, using: &random)
            for segment in segments where states[other].contains(segment.header) {
                receive(segment, on: device)
            }
        }
        if Int.random(in: 0..<4, using: &random) == 0 { try restart(device) }
    }

    /// Reads the state of a device from a file.
    private mutating func restart(_ device: Int) throws {
        let (state, id) = (states[device], devices[device])
        let bytes = state.bytes(of: id, number: state.seen[id], time: 0)
        states[device] = try StateFile(bytes[...], state.rules).state
    }

    private mutating func write(on device: Int) {
        let id = devices[device]
        let number = states[device].seen[id] + 1
        var header = SegmentHeader(
            device: id, number: number, time: .random(in: 0...9, using: &random),
            seen: states[device].seen)
        header.seen[id] = number - 1
        let entries = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
            entry(on: device)
        }
        let unique = Dictionary(entries.map { ($0.key, $0) }) { first, _ in first }
        let segment = Segment(
            header: header, entries: unique.values.sorted { $0.key.text < $1.key.text })
        segments.append(segment)
        receive(segment, on: device)
    }

    private mutating func entry(on device: Int) -> SegmentEntry? {
        guard let key = keys.randomElement(using: &random) else { return nil }
        let item = ItemReference("projects", key)
        var entry = SegmentEntry(item)
        let isKnown = states[device].isAlive(item)
        if isKnown, Int.random(in: 0..<4, using: &random) == 0 {
            entry.removed = Bool.random(using: &random) ? .item : .container
            return entry
        }
        if !isKnown {
            entry.container = .some(nil)
            entry.position = Position.run(between: nil, and: nil, count: 1, using: &random)[0]
        }
        let name = ["title", "note"].randomElement(using: &random) ?? ""
        let value = Int.random(in: 0...3, using: &random)
        entry.set = Array("{\"\(name)\":\(value)}".utf8)[...]
        return entry
    }

    private mutating func receive(_ segment: Segment, on device: Int) {
        guard !states[device].contains(segment.header),
            states[device].rules.isReady(segment.header, states[device].seen)
        else { return }
        states[device].receive(segment)
    }
}

@Suite struct JoinTests {
    private static let count = TestSize.choose(sample: 15, gate: 500, full: 100_000)

    /// Keys with UUIDs are compared without their texts, and only canonical text is a UUID.
    @Test func keysAreInTheOrderOfTheirTexts() {
        let uuids = (0..<200).map { _ in UUID().uuidString }
        let texts = uuids + uuids.map { $0.lowercased() } + ["", "a", "B", "é/1", uuids[0] + "/x"]
        #expect(texts.allSatisfy { ItemKey(text: $0).text == $0 })
        #expect(
            texts.map { ItemKey(text: $0) }.sorted().map(\.text) == texts.sorted())
    }

    @Test func joiningObeysItsLaws() throws {
        for seed in 0..<UInt64(Self.count) {
            var history = History(seed: seed)
            for _ in 0..<24 { try history.step() }
            let (a, b, c) = (history.states[0], history.states[1], history.states[2])
            #expect(joined(a, b) == joined(b, a), "seed \(seed)")
            #expect(joined(joined(a, b), c) == joined(a, joined(b, c)), "seed \(seed)")
            #expect(joined(a, a) == a, "seed \(seed)")
            #expect(joined(joined(a, b), b) == joined(a, b), "seed \(seed)")
        }
    }

    @Test func aStateJoinedToNothingIsThatState() throws {
        for seed in 0..<UInt64(Self.count) {
            var history = History(seed: seed)
            for _ in 0..<24 { try history.step() }
            for state in history.states {
                var new = MergeState()
                let changed = new.join(state)
                #expect(new == state, "seed \(seed)")
                #expect(new.contents == state.contents, "seed \(seed)")
                #expect(changed == Set(history.items.filter { state[$0] != nil }), "seed \(seed)")
            }
        }
    }

    @Test func statesAndSegmentsGiveTheSame() throws {
        for seed in 0..<UInt64(Self.count) {
            var history = History(seed: seed)
            for _ in 0..<24 { try history.step() }
            var all = MergeState()
            for segment in history.segments { all.receive(segment) }
            let joined = history.states.dropFirst().reduce(history.states[0], joined)
            #expect(joined == all, "seed \(seed)")
        }
    }

    @Test func aStateIsReadAsItWasWritten() throws {
        for seed in 0..<TestSize.choose(sample: 4, gate: 20, full: 20) {
            var history = History(seed: UInt64(seed))
            for _ in 0..<30 { try history.step() }
            for state in history.states {
                let bytes = state.bytes(of: DeviceID(high: 7, low: 0), number: 3, time: 5)
                let read = try StateFile(bytes[...])
                #expect(read.state == state && read.number == 3)
                #expect(read.state.bytes(of: read.device, number: 3, time: 5) == bytes)
            }
            for segment in history.segments {
                #expect(try Segment.read(segment.bytes[...]) == [segment])
            }
        }
    }

    @Test(arguments: [
        #"{"set":{"id":"moon"},"dot":[0,1,2],"at":"V"}"#,
        #"{"id":"moon","at":[[0,1,2,0,"V"]],"members":{}}"#,
    ])
    func anItemIsOnceInAState(_ line: String) throws {
        func bytes(_ lines: [String]) -> ArraySlice<UInt8> {
            let device = "00000000000000000000000000000007"
            let header =
                #"{"format":1,"device":"\#(device)","seq":1,"at":2,"seen":{"\#(device)":1},"#
                + #""devices":["\#(device)"],"items":\#(lines.count)}"#
            return Array(([header] + lines).map { "\($0)\n" }.joined().utf8)[...]
        }
        let first = #"{"in":"projects","set":{"id":"moon"},"dot":[0,1,2],"at":"V"}"#
        #expect(
            try StateFile(bytes([first])).state.isAlive(
                ItemReference("projects", ItemKey(text: "moon"))))
        #expect(throws: FormatError.self) { try StateFile(bytes([first, line])) }
    }

    private func joined(_ one: MergeState, _ other: MergeState) -> MergeState {
        var one = one
        one.join(other)
        return one
    }
}
