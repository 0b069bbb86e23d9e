import Foundation
import TestSupport
import Testing

@testable import JSONCodec

struct CodecEncodingTests {
    /// The same JSON with sorted keys, as Foundation writes it.
    private func sorted(_ json: String) throws -> String {
        let value = try JSONSerialization.jsonObject(
            with: Data(json.utf8), options: .fragmentsAllowed)
        let data = try JSONSerialization.data(
            withJSONObject: value,
            options: [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed])
        return String(decoding: data, as: UTF8.self)
    }

    private func compare(_ value: some Encodable) throws {
        #expect(try line(of: value) == foundationsJSON(of: value))
        #expect(try line(of: [value]) == foundationsJSON(of: [value]))
        #expect(try line(of: ["key": value]) == foundationsJSON(of: ["key": value]))
    }

    @Test func tokensAreWrittenAsFoundationWritesThem() throws {
        try compare(true)
        try compare(Int?.none)
        try compare(Int8.min)
        try compare(Int64.min)
        try compare(Int64.max)
        try compare(UInt64.max)
        try compare(Int128.min)
        try compare(UInt128.max)
        for power in 0..<19 { try compare(Int(pow(10, Double(power))) - 1) }
        try compare(UUID())
        try compare(Date(timeIntervalSinceReferenceDate: 785_000_000.123456))
        try compare(URL(string: "https://a.b/c?d=e#f"))
        try compare(Data([0, 1, 2, 250]))
        try compare(Decimal(string: "-1234567890.0987654321"))
        try compare("plain")
        try compare(Specimen.Mood.calm)
        try compare(Specimen.Shape.point)
        try compare([1: "a"])
        try compare([Specimen.Named(name: "a\"b"): 1])
        try compare([String: Int]())
        try compare([Double]())
    }

    @Test func randomValuesAreWrittenAsFoundationWritesThem() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<TestSize.choose(sample: 40, gate: 200, full: 200) {
            let value = Specimen(&random)
            let json = try line(of: value)
            #expect(!json.contains("\n"), "seed \(seed)")
            #expect(
                try JSONDecoder().decode(Specimen.self, from: Data(json.utf8)) == value,
                "seed \(seed)")
            #expect(ours(Specimen.self, json.utf8) == .value(value), "seed \(seed)")
            #expect(try line(of: value.title) == foundationsJSON(of: value.title), "seed \(seed)")
            #expect(try line(of: value.byName).count == foundationsJSON(of: value.byName).count)
        }
    }

    @Test func membersKeepTheOrderInWhichTheyAreEncoded() throws {
        struct Zebra: Encodable {
            var z = 1
            var a = "a/b"
            var m: [Int]? = nil
            var k = true
        }
        #expect(try line(of: Zebra()) == #"{"z":1,"a":"a/b","k":true}"#)
    }

    @Test func onlyTheLastMemberOfEachKeyIsWritten() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var keyed = encoder.container(keyedBy: Specimen.Key.self)
                let (a, é) = (Specimen.Key(stringValue: "a"), Specimen.Key(stringValue: "é"))
                try keyed.encode(1, forKey: a)
                try keyed.encode([1, 2], forKey: é)
                _ = keyed.superEncoder()
                try keyed.encode("x", forKey: .init(stringValue: "b"))
                try keyed.encode(2, forKey: a)
                try keyed.encodeNil(forKey: .init(stringValue: "e\u{301}"))
            }
        }
        #expect(try line(of: Twice()) == "{\"super\":{},\"b\":\"x\",\"a\":2,\"e\u{301}\":null}")
        #expect(try sorted(line(of: Twice())).count == foundationsJSON(of: Twice()).count)
    }

    @Test func openContainersAreWrittenWhereTheyWereOpened() throws {
        class Animal: Codable, Equatable {
            var legs = 4
            static func == (left: Animal, right: Animal) -> Bool { left.legs == right.legs }
            init() {}
        }
        final class Dog: Animal {
            enum Keys: CodingKey { case before, list, object, after, parent }
            override init() { super.init() }
            required init(from decoder: any Decoder) throws {
                let keyed = try decoder.container(keyedBy: Keys.self)
                var list = try keyed.nestedUnkeyedContainer(forKey: .list)
                #expect(list.count == 4)
                #expect(try list.decode(Int.self) == 1)
                var inner = try list.nestedUnkeyedContainer()
                #expect(try inner.decode(String.self) == "in")
                #expect(inner.isAtEnd && inner.codingPath.count == 2)
                let object = try list.nestedContainer(keyedBy: Keys.self)
                #expect(try object.decode(Bool.self, forKey: .after))
                #expect(object.codingPath.map(\.stringValue) == ["list", "Index 2"])
                #expect(try Int(from: list.superDecoder()) == 3)
                #expect(try keyed.superDecoder(forKey: .after).singleValueContainer().decodeNil())
                try super.init(from: keyed.superDecoder())
            }
            override func encode(to encoder: any Encoder) throws {
                var keyed = encoder.container(keyedBy: Keys.self)
                var list = keyed.nestedUnkeyedContainer(forKey: .list)
                var object = keyed.nestedContainer(keyedBy: Keys.self, forKey: .object)
                try list.encode(1)
                try object.encode(1, forKey: .before)
                var inner = list.nestedUnkeyedContainer()
                var last = list.nestedContainer(keyedBy: Keys.self)
                try inner.encode("in")
                try 3.encode(to: list.superEncoder())
                try last.encode(true, forKey: .after)
                try keyed.encode("x", forKey: .before)
                var again = keyed.nestedContainer(keyedBy: Keys.self, forKey: .object)
                try again.encode(2, forKey: .after)
                #expect(list.count == 4 && again.codingPath.count == 1)
                try super.encode(to: keyed.superEncoder())
            }
        }
        let json = try line(of: Dog())
        #expect(
            json
                == #"{"list":[1,["in"],{"after":true},3],"object":{"before":1,"after":2},"#
                + #""before":"x","super":{"legs":4}}"#)
        #expect(try sorted(json) == foundationsJSON(of: Dog()))
        #expect(try LineDecoder.decode(Dog.self, from: Array(json.utf8)) == Dog())
    }

    @Test func nestedValueThatEncodesNothingIsAnEmptyObject() throws {
        struct Nothing: Encodable {
            func encode(to encoder: any Encoder) {}
        }
        #expect(try line(of: [Nothing()]) == "[{}]")
        #expect(
            CodecOutcome { try line(of: Nothing()) }
                == CodecOutcome { try foundationsJSON(of: Nothing()) })
    }

    @Test func infiniteNumbersAreErrors() {
        for number in [Double.nan, .infinity, -.infinity] {
            let date = Date(timeIntervalSinceReferenceDate: number)
            check(number)
            check([1, number])
            check(["a": [1: number]])
            check(Float(number))
            check([date])
            check(["a": date])
            check(["a": Optional(date)])
        }
    }

    private func check(_ value: some Encodable) {
        let failure = CodecOutcome { try line(of: value) }
        #expect(!failure.isValue)
        #expect(failure == CodecOutcome { try foundationsJSON(of: value) })
    }

    /// A type can catch the error of a member and encode the next one.
    @Test func failedMemberIsNotWritten() throws {
        struct Forgiving: Encodable {
            func encode(to encoder: any Encoder) throws {
                var keyed = encoder.container(keyedBy: Specimen.Key.self)
                try? keyed.encode([1, Double.nan], forKey: .init(stringValue: "a"))
                try? keyed.encode(Double.nan, forKey: .init(stringValue: "b"))
                try keyed.encode(1, forKey: .init(stringValue: "c"))
            }
        }
        #expect(try line(of: Forgiving()) == #"{"c":1}"#)
    }

    @Test func encodingTwiceAtOnePathIsAnError() {
        struct Confused: Encodable {
            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(1)
                var list = encoder.unkeyedContainer()
                try list.encode(2)
            }
        }
        #expect(throws: EncodingError.self) { try line(of: Confused()) }
        #expect(throws: EncodingError.self) { try line(of: [Confused()]) }
    }
}
