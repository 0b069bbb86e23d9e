import TestSupport
import Testing

@testable import DirectoryReplicas

/// A table of items, of which most are as in a file, against a dictionary.
@Suite struct ItemTableTests {
    /// Two tables of one file after random changes.
    @Test func tableIsLikeADictionary() throws {
        var random = SeededGenerator(named: "table")
        for _ in 0..<TestSize.choose(sample: 15, gate: 120, full: 20_000) {
            let written = try written(Int.random(in: 0...6, using: &random))
            let pair = (0..<2).map { _ in changed(ItemTable<Text>(written), &random) }
            for (table, model) in pair { check(table, model, "\(random)") }
            let (one, two) = (pair[0], pair[1])
            let differing = Set(one.model.keys).union(two.model.keys).filter {
                one.model[$0] != two.model[$0]
            }
            #expect(one.table.changedKeys(since: two.table).isSuperset(of: differing), "\(random)")
            let copy = ItemTable<Text>(asIn: one.table) { $0.text == "a" ? nil : $0 }
            check(copy, one.model.filter { $0.value.text != "a" }, "\(random)")
        }
    }

    /// A table without a file, and one that has it.
    @Test func itemsOfTheFileDifferFromNone() throws {
        let table = ItemTable<Text>(try written(3))
        #expect(table.changedKeys(since: ItemTable<Text>()) == Set((0..<3).map(key)))
        #expect(table.changedKeys(since: table).isEmpty)
    }

    private struct Text: WrittenValue, Equatable {
        var text: String

        init(text: String) { self.text = text }
        init(_ plain: ItemState.Plain) { text = String(decoding: plain.line, as: UTF8.self) }
    }

    private func key(_ number: Int) -> ItemKey { ItemKey(text: "item\(number)") }

    private func written(_ count: Int) throws -> WrittenItems {
        let stamp = Stamp(Dot(DeviceID(high: 7, low: 0), 1), time: 1)
        let position = try #require(Position("V"))
        var (written, file): (WrittenItems, [UInt8]) = (.init("projects"), [])
        for number in 0..<count {
            let line = Array("{\"id\":\"item\(number)\"}".utf8)
            let plain = ItemState.Plain(
                stamp: stamp, container: nil, position: position, file: nil,
                line: line[...])
            let isAdded = written.add(key(number), ItemState(plain), at: file.count)
            try #require(isAdded)
            file += Array("{\"at\":\"V\",\"set\":".utf8) + line + Array("}\n".utf8)
        }
        written.finish(in: file[...])
        return written
    }

    /// The table after random changes, and a dictionary after the same ones.
    private func changed(_ table: ItemTable<Text>, _ random: inout SeededGenerator)
        -> (table: ItemTable<Text>, model: [ItemKey: Text])
    {
        var table = table
        let start = Dictionary(uniqueKeysWithValues: table.map { ($0.key, $0.value) })
        var model = start
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let key = key(Int.random(in: 0...8, using: &random))
            let new = Text(text: ["a", "b"].randomElement(using: &random) ?? "")
            switch Int.random(in: 0...8, using: &random) {
            case 0:
                table.removeAll()
                model = [:]
            case 1...2: (table[key], model[key]) = (nil, nil)
            case 3...5: (table[key], model[key]) = (new, new)
            default:
                let isSame = Bool.random(using: &random)
                table.set(key, new, asWrittenIf: { _ in isSame })
                model[key] = isSame ? start[key] ?? new : new
            }
        }
        return (table, model)
    }

    private func check(_ table: ItemTable<Text>, _ model: [ItemKey: Text], _ seed: Comment) {
        #expect(
            table.map(\.key).count == model.count
                && table.allSatisfy { model[$0.key] == $0.value }, seed)
        for number in 0...9 { #expect(table[key(number)] == model[key(number)], seed) }
    }
}
