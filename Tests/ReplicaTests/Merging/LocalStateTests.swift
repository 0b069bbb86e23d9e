import Foundation
import TestSupport
import Testing

@testable import DirectoryReplicas

/// What a device keeps in memory after its local file was written.
@Suite struct LocalStateTests {
    private let device = DeviceID(high: 7, low: 0)
    private var local: LocalState
    /// The states that were written, which stay in memory, so that their bytes have addresses of their own.
    private var files: [ArraySlice<UInt8>] = []

    init() throws {
        local = LocalState(device: device, .init())
        try publish((0..<5).map { number in entry(number, isNew: true) })
    }

    private func item(_ number: Int) -> ItemReference {
        ItemReference("projects", ItemKey(text: "item\(number)"))
    }

    private func entry(_ number: Int, isNew: Bool) -> SegmentEntry {
        var entry = SegmentEntry(item(number))
        if isNew {
            entry.container = .some(nil)
            entry.position = Position("V")
        }
        let id = isNew ? "\"id\":\"item\(number)\"," : ""
        entry.set = Array("{\(id)\"title\":\"\(isNew)\"}".utf8)[...]
        return entry
    }

    /// Publishes entries; their items are shown as they were, or as they are added.
    private mutating func publish(_ entries: [SegmentEntry]) throws {
        let number = local.number + 1
        var header = SegmentHeader(device: device, number: number, time: 1, seen: local.shown)
        header.seen[device] = number - 1
        var change = BaseChange()
        for entry in entries {
            let item = ItemReference(entry.kind, entry.key)
            let line = entry.removed != .nothing ? nil : local.base[item]?.line ?? entry.set
            change.items.append((item, line.map { ShownItem(line: $0, position: Position("V")) }))
        }
        try local.apply(.published([Segment(header: header, entries: entries)], change))
    }

    private mutating func save() throws {
        for case .state(let bytes) in try local.packedRecords(of: nil, time: 2) {
            files.append(bytes)
        }
    }

    /// All bytes that the state and the base keep.
    private var kept: [ArraySlice<UInt8>] {
        var kept: [ArraySlice<UInt8>] = []
        for (key, state) in local.state.items["projects"] ?? .init() {
            switch state.form {
            case .plain(let plain): kept.append(plain.line)
            case .registers(let registers):
                kept += registers.members.values.flatMap(\.entries).compactMap(\.value)
            }
            if let shown = local.base.items["projects"]?[key] { kept.append(shown.line) }
        }
        return kept
    }

    private func isPart(_ part: ArraySlice<UInt8>, of whole: ArraySlice<UInt8>) -> Bool {
        part.withUnsafeBytes { part in
            whole.withUnsafeBytes { whole in
                guard let start = part.baseAddress, let first = whole.baseAddress else {
                    return false
                }
                return (first..<first + whole.count).contains(start)
            }
        }
    }

    @Test mutating func nothingIsKeptOfEarlierFiles() throws {
        for number in 0..<5 {
            try save()
            // Its id stays that of the line in the file.
            try publish([entry(number, isNew: false)])
        }
        try save()
        #expect(kept.count > 5)
        for file in files.dropLast() {
            #expect(!kept.contains { isPart($0, of: file) })
        }
    }

    @Test func manyItemsShareAnOrigin() throws {
        let position = try #require(Position("V"))
        var written = WrittenItems("projects")
        for number in 0..<10 {
            let plain = ItemState.Plain(
                stamp: Stamp(Dot(device, 1 + number % 2), time: 1), container: nil,
                position: position, file: nil, line: [])
            let isAdded = written.add(item(number).key, ItemState(plain), at: number)
            #expect(isAdded)
        }
        #expect(written.originCount == 2)
    }

    /// Of an item whose line is damaged, the base has the item, and the order lacks it.
    @Test mutating func aBaseWithoutOrdersKeepsThemSo() throws {
        local.base.orders = [:]
        try save()
        #expect(local.base.items["projects"]?.map(\.key).count == 5)
        #expect(local.base.orders.isEmpty)
    }

    @Test mutating func aKindWhoseItemsAreForgottenKeepsNoFile() throws {
        try save()
        try publish(
            (0..<5).map { number in
                var entry = SegmentEntry(item(number))
                entry.removed = .item
                return entry
            })
        let hasForgotten = local.state.forgetRemovedItems(before: 9)
        #expect(hasForgotten)
        try save()
        #expect(local.state.items["projects"]?.changes.isEmpty ?? true)
    }

    /// What follows a record was written when that was on stable storage.
    @Test func onlyTheLastRecordCanBeCutOff() throws {
        let names = (1...3).map { SegmentName(number: $0, content: .changes, of: []) }
        let records = names.map { LocalRecord.files([$0]).bytes }
        let cutOff = records[2].dropLast(10)
        let (found, length) = try LocalRecord.read(records[0] + records[1] + cutOff)
        #expect(found.count == 2 && length == records[0].count + records[1].count)
        var damaged = records[1]
        damaged[damaged.count - 5] ^= 1
        for rest in [Array(cutOff), records[2]] {
            #expect(throws: FormatError.self) {
                try LocalRecord.read(records[0] + damaged + rest)
            }
        }
    }
}
