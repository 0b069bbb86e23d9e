import Foundation
import TestSupport
import Testing

@testable import JSONCodec

/// Values with very many members or elements: the work grows with their number, not with its square.
struct LargeValueTests {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
        static let value = Key(stringValue: "value")
        static let list = Key(stringValue: "list")
    }

    #if DEBUG
        /// In another order, all keys are noted once.
        @Test(arguments: ["key", "ключ", "cl\u{E9}"]) func eachKeyIsFoundInFewSteps(_ name: String)
        {
            let names = (0..<5000).map { "\(name)\($0)" }
            let text = Array(names.joined().utf8) + [UInt8](repeating: 0, count: 8)
            let keys = KeyTable()
            text.withUnsafeBufferPointer { text in
                guard let base = text.baseAddress else { return }
                var start = 0
                for (number, name) in names.enumerated() {
                    let range = start..<start + name.utf8.count
                    if name.utf8.allSatisfy({ $0 < 0x80 }) {
                        keys.append(range, value: number, in: base)
                    } else {
                        keys.append(name, value: number)
                    }
                    start = range.upperBound
                }
                for (number, name) in names.enumerated().reversed() {
                    #expect(keys.index(of: name, from: 0, in: base) == number)
                }
                #expect(keys.index(of: "none", from: 0, in: base) == nil)
                #expect(
                    keys.index(of: names[7].decomposedStringWithCanonicalMapping, from: 0, in: base)
                        == 7)
            }
            #expect(keys.steps < 50 * names.count)
        }

        private struct Counted: Decodable {
            var steps = 0

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                while list.currentIndex < list.count ?? 0 { _ = try list.decode(Int.self) }
                #expect(list.isAtEnd)
                steps = try #require(list as? JSONUnkeyedDecodingContainer).node.steps
            }
        }

        @Test func elementsAreCountedOnce() throws {
            #expect(try LineDecoder.decode(Counted.self, from: Array("[1,2,3]".utf8)).steps == 3)
        }

        /// An array that is opened anew to ask for its count.
        private struct Reopened: Decodable {
            var steps = 0

            init(from decoder: any Decoder) throws {
                for _ in 0..<5 {
                    let list = try decoder.unkeyedContainer()
                    #expect(list.count == 3)
                    steps += try #require(list as? JSONUnkeyedDecodingContainer).node.steps
                }
                var lists = try decoder.unkeyedContainer()
                for count in [2, 0, 1] {
                    let list = try lists.nestedUnkeyedContainer()
                    #expect(list.count == count && list.count == count)
                }
            }
        }

        @Test func elementsOfAnArrayThatIsOpenedAgainAreCountedOnce() throws {
            for _ in 0..<2 {
                let line = Array("[[1,2],[],[3]]".utf8)
                #expect(try LineDecoder.decode(Reopened.self, from: line).steps == 3)
            }
            #expect(try LineDecoder.decode([Int].self, from: Array("[1,2]".utf8)) == [1, 2])
        }

        /// Sets that follow each other in one array.
        private struct Sets: Encodable {
            let count: Int

            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                for number in 0..<count {
                    try list.encode(contentsOf: Set([2 * number + 1, 2 * number]))
                }
                let movedBytes = (encoder as? JSONValueEncoder)?.movedBytes
                #expect(movedBytes.map { $0 > 0 && $0 <= 12 * count } == true)
            }
        }

        @Test func bytesOfEachSetAreMovedOnce() throws {
            var encoder = LineEncoder()
            let line = try encoder.line(of: Sets(count: 1000))
            let numbers = (0..<2000).map { "\($0)" }.joined(separator: ",")
            #expect(Array(line) == Array("[\(numbers)]".utf8))
        }
    #endif

    /// Containers that are nested in one object, or in one array, and used no more when the next one is opened.
    private struct Nested: Codable {
        var count = 0

        init(count: Int) { self.count = count }

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Key.self)
            for key in object.allKeys {
                let inner = try object.nestedContainer(keyedBy: Key.self, forKey: key)
                #expect(try inner.decode(Int.self, forKey: .value) == count)
                var list = try inner.nestedUnkeyedContainer(forKey: .list)
                let last = try list.nestedContainer(keyedBy: Key.self)
                #expect(try last.decode(Int.self, forKey: .value) == count)
                count += 1
            }
        }

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: Key.self)
            for number in 0..<count {
                let key = Key(stringValue: "\(number)")
                var inner = object.nestedContainer(keyedBy: Key.self, forKey: key)
                try inner.encode(number, forKey: .value)
                var list = inner.nestedUnkeyedContainer(forKey: .list)
                var last = list.nestedContainer(keyedBy: Key.self)
                try last.encode(number, forKey: .value)
                // Opened again.
                _ = object.nestedContainer(keyedBy: Key.self, forKey: key)
            }
            #if DEBUG
                let steps = (encoder as? JSONValueEncoder)?.steps
                #expect(steps.map { $0 >= count && $0 <= 2 * count } == true)
            #endif
        }
    }

    /// On a small stack; work that grows with the square of the number would take very long.
    @Test func manyNestedContainersAreWrittenAndRead() throws {
        try withStack(ofKiB: 512) {
            let count = TestSize.choose(sample: 10_000, gate: 50_000, full: 50_000)
            var encoder = LineEncoder()
            let line = Array(try encoder.line(of: Nested(count: count)))
            #expect(try LineDecoder.decode(Nested.self, from: line).count == count)
        }
    }

    /// Work that grows with the square of the number would take very long.
    @Test func manyMembersAreComparedAndReplaced() throws {
        let count = 50_000
        func object(_ value: (Int) -> Int) -> ArraySlice<UInt8> {
            let members = (0..<count).map { #""member \#($0)":\#(value($0))"# }
            return Array("{\(members.joined(separator: ","))}".utf8)[...]
        }
        let (old, new) = (object(\.self), object { $0 + 1 })
        let changes = JSONMembers.changes(from: old, to: new)
        #expect(changes.map(\.name) == (0..<count).map { "member \($0)" })
        #expect(changes.allSatisfy { $0.old != nil && $0.new != nil })
        let values = Dictionary(uniqueKeysWithValues: changes.map { ($0.name, $0.new ?? []) })
        #expect(JSONMembers.replacing(values, in: old) == new)
    }

    /// Two containers that are used in turn, and one that is opened again, with objects in them.
    private struct Interleaved: Decodable {
        struct Inner: Decodable { var value: Int }

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: Key.self)
            let first = try object.nestedContainer(keyedBy: Key.self, forKey: .value)
            let last = try object.nestedContainer(keyedBy: Key.self, forKey: .list)
            for container in [first, last, first] {
                #expect(try container.decode(Inner.self, forKey: .value).value == 1)
                let inner = try container.nestedContainer(keyedBy: Key.self, forKey: .value)
                let again = try decoder.container(keyedBy: Key.self)
                #expect(try inner.decode(Int.self, forKey: .value) == 1 && again.contains(.list))
                let part = try inner.nestedContainer(keyedBy: Key.self, forKey: .list)
                #expect(try part.decode(Inner.self, forKey: .value).value == 2)
            }
        }
    }

    @Test func containersThatAreUsedInTurnAreReleased() throws {
        let inner = #"{"value":1,"list":{"value":{"value":2}}}"#
        let line = Array(#"{"value":{"value":\#(inner)},"list":{"value":\#(inner)}}"#.utf8)
        weak var kept: JSONValueDecoder?
        do {
            let decoder = JSONValueDecoder()
            kept = decoder
            for _ in 0..<3 {
                try line.withUnsafeBufferPointer {
                    _ = try decoder.decode(Interleaved.self, from: $0)
                }
            }
        }
        #expect(kept == nil)
    }
}
