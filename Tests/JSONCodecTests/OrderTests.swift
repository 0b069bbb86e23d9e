import Foundation
import TestSupport
import Testing

@testable import JSONCodec

/// The order in which the parts of sets and dictionaries are encoded.
struct OrderTests {
    @Test func equalValuesThatWereBuiltDifferentlyHaveEqualBytes() throws {
        var random = SeededGenerator()
        for _ in 0..<TestSize.choose(sample: 20, gate: 500, full: 5_000) {
            let value = Bags(using: &random)
            let text = try line(of: value)
            let again = value.rebuilt(using: &random)
            #expect(again == value)
            #expect(try line(of: again) == text, "\(random)")
            let bytes = Array(text.utf8)
            #expect(try LineDecoder.decode(Bags.self, from: bytes) == value, "\(random)")
            #expect(try JSONDecoder().decode(Bags.self, from: Data(bytes)) == value, "\(random)")
        }
    }

    @Test func membersOfADictionaryAreInTheOrderOfTheirNames() throws {
        let numbers = ["b": 1, "a b": 2, "a": 3, "é": 4, "\"": 5, "e\u{301}a": 6, "": 7]
        #expect(
            try line(of: numbers)
                == #"{"":7,"\"":5,"a":3,"a b":2,"b":1,"e\#u{301}a":6,"é":4}"#)
        #expect(try line(of: [10: "x", 9: "y", -1: "z"]) == #"{"-1":"z","10":"x","9":"y"}"#)
        #expect(try line(of: [Suit.spades: 1, .clubs: 2]) == #"{"clubs":2,"spades":1}"#)
    }

    @Test func elementsOfASetAreInTheOrderOfTheirBytes() throws {
        #expect(try line(of: Set([10, 9, 1, -2])) == "[-2,1,10,9]")
        #expect(try line(of: Set(["b", "a", "a b", "[", ","])) == #"[",","[","a b","a","b"]"#)
        #expect(try line(of: Set([Set([2, 1]), Set([3]), Set()])) == "[[1,2],[3],[]]")
    }

    @Test func pairsWhoseKeysAreNotTextAreInTheOrderOfTheirKeys() throws {
        #expect(try line(of: [2.5: "a", 10: "b", 1: "c"]) == #"[1,"c",10,"b",2.5,"a"]"#)
        #expect(
            try line(of: [Set([2, 1]): ["b": 1, "a": 2], Set([3]): [:]])
                == #"[[1,2],{"a":2,"b":1},[3],{}]"#)
    }

    /// In containers that a type fills by hand.
    @Test func setsInEveryContainerAreInOrder() throws {
        struct ByHand: Encodable {
            let write: @Sendable (any Encoder) throws -> Void
            func encode(to encoder: any Encoder) throws { try write(encoder) }
        }
        let set = Set((0..<9).map { $0 * 7 % 9 })
        let text = "[0,1,2,3,4,5,6,7,8]"
        let single = ByHand {
            var container = $0.singleValueContainer()
            try container.encode(set)
        }
        #expect(try line(of: single) == text)
        #expect(try line(of: [single]) == "[\(text)]")
        let list = ByHand {
            var container = $0.unkeyedContainer()
            try container.encode(9)
            try container.encode(contentsOf: set)
            try container.encode(contentsOf: [3, 2])
            try container.encode(set)
            var inner = container.nestedUnkeyedContainer()
            try container.encode(contentsOf: [true, false])
            try inner.encode(contentsOf: set)
        }
        let numbers = "0,1,2,3,4,5,6,7,8"
        #expect(try line(of: list) == "[9,\(numbers),3,2,[\(numbers)],[\(numbers)],true,false]")
        let object = ByHand {
            var container = $0.container(keyedBy: Suit.self)
            try container.encode(set, forKey: .spades)
            try container.encodeIfPresent(set, forKey: .clubs)
            try container.encode(Set?.some(set), forKey: .hearts)
        }
        #expect(
            try line(of: object) == #"{"spades":\#(text),"clubs":\#(text),"hearts":\#(text)}"#)
    }

    /// Which of two equal names is the last one, which stays, does not depend on the process either.
    @Test func keysWithEqualNamesHaveOneOrder() throws {
        struct Name: Hashable, Codable, CodingKey, CodingKeyRepresentable {
            var text: String
            var codingKey: any CodingKey { Name(text.lowercased()) }
            var stringValue: String { text }
            var intValue: Int? { nil }
            init(_ text: String) { self.text = text }
            init?(stringValue: String) { text = stringValue }
            init?(intValue: Int) { nil }
            init?(codingKey: some CodingKey) { text = codingKey.stringValue }
        }
        for _ in 0..<8 {
            let names = ["a", "A", "b", "B", "c\u{e9}", "C\u{e9}", "ce\u{301}"].shuffled()
            var values: [Name: Int] = [:]
            values.reserveCapacity(.random(in: 7...200))
            for name in names { values[Name(name)] = name == name.lowercased() ? 1 : 2 }
            #expect(try line(of: values) == #"{"a":2,"b":2,"cé":2}"#)
        }
    }

    @Test func membersOfAStructAndElementsOfAnArrayKeepTheirOrder() throws {
        struct Pair: Encodable { var b = [2, 1], a = ["y", "x"] }
        #expect(try line(of: [Pair()]) == #"[{"b":[2,1],"a":["y","x"]}]"#)
    }
}

enum Suit: String, CodingKey, Codable, CodingKeyRepresentable, CaseIterable {
    case spades, hearts, clubs
}

/// Sets and dictionaries of all kinds, in one another.
struct Bags: Codable, Hashable {
    struct Inner: Codable, Hashable {
        var names: Set<String>
        var counts: [String: Int]
    }

    var texts: Set<String>
    var numbers: Set<Double>?
    var dates: Set<Date>
    var suits: Set<Suit>
    var inner: Set<Inner>
    var lists: [Set<Int>]
    var byName: [String: [String: Set<String>]]
    var byNumber: [Int: Set<Bool>]
    var bySuit: [Suit: Inner]
    var byDouble: [Double: Inner]
    var bySet: [Set<Int>: Inner?]

    init(using random: inout SeededGenerator) {
        func several<Value>(_ value: () -> Value) -> [Value] {
            (0..<Int.random(in: 0...5, using: &random)).map { _ in value() }
        }
        func number() -> Int { .random(in: -3...12, using: &random) }
        func text() -> String {
            ["", "a", "b", "ä", "\n", "10", "a b"].randomElement(using: &random) ?? ""
        }
        func double() -> Double { Double(number()) / 4 }
        func suit() -> Suit { Suit.allCases.randomElement(using: &random) ?? .clubs }
        func innerOne() -> Inner {
            Inner(
                names: Set(several(text)), counts: Dictionary(several { (text(), number()) }) { $1 }
            )
        }
        texts = Set(several(text))
        numbers = Bool.random(using: &random) ? Set(several(double)) : nil
        dates = Set(several { Date(timeIntervalSinceReferenceDate: double()) })
        suits = Set(several(suit))
        inner = Set(several(innerOne))
        lists = several { Set(several(number)) }
        byName = Dictionary(several { (text(), [text(): Set(several(text)), "x": []]) }) { $1 }
        byNumber = Dictionary(several { (number(), Set(several { number() > 3 })) }) { $1 }
        bySuit = Dictionary(several { (suit(), innerOne()) }) { $1 }
        byDouble = Dictionary(several { (double(), innerOne()) }) { $1 }
        bySet = Dictionary(several { (Set(several(number)), number() > 3 ? innerOne() : nil) }) {
            $1
        }
    }

    /// An equal value whose sets and dictionaries have another order in memory.
    func rebuilt(using random: inout SeededGenerator) -> Bags {
        func set<Value>(_ old: Set<Value>, _ change: (Value) -> Value = { $0 }) -> Set<Value> {
            var new = Set<Value>(minimumCapacity: .random(in: 0...100, using: &random))
            for value in old.shuffled(using: &random) { new.insert(change(value)) }
            return new
        }
        func map<Key, Value>(
            _ old: [Key: Value], _ changeKey: (Key) -> Key = { $0 },
            _ change: (Value) -> Value = { $0 }
        ) -> [Key: Value] {
            var new = [Key: Value](minimumCapacity: .random(in: 0...100, using: &random))
            for (key, value) in old.shuffled(using: &random) { new[changeKey(key)] = change(value) }
            return new
        }
        func inner(_ old: Inner) -> Inner { Inner(names: set(old.names), counts: map(old.counts)) }
        var new = self
        new.texts = set(texts)
        new.numbers = numbers.map { set($0) }
        new.dates = set(dates)
        new.suits = set(suits)
        new.inner = set(self.inner, inner)
        new.lists = lists.map { set($0) }
        new.byName = map(byName) {
            $0
        } _: {
            map($0) {
                $0
            } _: {
                set($0)
            }
        }
        new.byNumber = map(byNumber) {
            $0
        } _: {
            set($0)
        }
        new.bySuit = map(bySuit) {
            $0
        } _: {
            inner($0)
        }
        new.byDouble = map(byDouble) {
            $0
        } _: {
            inner($0)
        }
        new.bySet = map(bySet) {
            set($0)
        } _: {
            $0.map { inner($0) }
        }
        return new
    }
}
