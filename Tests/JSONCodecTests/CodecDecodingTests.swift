import Foundation
import TestSupport
import Testing

@testable import JSONCodec

struct CodecDecodingTests {
    struct Box<Value: Codable & Equatable>: Codable, Equatable {
        var value: Value
    }

    /// JSON values to decode as each type.
    static let texts = [
        "null", "true", "false", "0", "-0", "-0.0", "1", "-1", "127", "128", "-128", "-129", "255",
        "256", "300", "1.0", "1.5", "1e3", "1E+3", "10e-1", "1e-1", "1e19", "1e400", "1e-400",
        "1e39", "5e-324", "2147483648", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
        "18446744073709551616", "9007199254740993.0", "9007199254740993.5", "9007199254740992.5",
        "1.0000000000000000001", "9223372036854775807.0", "9223372036854775808.0", "1e30", "-1e30",
        "170141183460469231731687303715884105727", "170141183460469231731687303715884105728",
        "-170141183460469231731687303715884105728", "-170141183460469231731687303715884105729",
        "340282366920938463463374607431768211455", "123456789.987654321", "1e100", "1e200",
        #""""#, #""x""#, #""1""#, #""2""#, #""calm""#, #""a b""#, #""http://a/b?c=d#e""#,
        #""http://[""#, #""AQID""#, #""AQI=""#, #""AQI""#, #""A=""#, #""A\u0051I\u003d""#,
        #""6F9619FF-8B86-D011-B42D-00CF4FC964FF""#, #""6f9619ff-8b86-d011-b42d-00cf4fc964ff""#,
        #""6F9619FF-8B86-D011-B42D-00CF4FC964F""#, #""6F9619FF-8B86-D011-B42D-00CF4FC964FFF""#,
        #""6F9619FF-8B86-D011-B42D-00CF4FC964FG""#, #""6F9619FF_8B86-D011-B42D-00CF4FC964FF""#,
        #""6F9619FF-8B86-D011-B42D-00CF4FC9+4FF""#, #""\u0036F9619FF-8B86-D011-B42D-00CF4FC964FF""#,
        #""\u0000\u001f\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#, #""\uD83D""#, #""\uDE00""#,
        #""\uD83Dx""#, #""\uD83D\n""#, #""\uD83D\u0041""#, #""é漢😀 in eight bytes and more""#,
        "[]", "{}", "[ ]", "{ }", "[1]", "[null]", "[1,null,2]", "[1, 2 ,3]", "[\"a\"]", "[true]",
        "[[]]", "[[1],[2,3]]", "[[1],null]", "[{}]", "[1.5,2]", "[300]", "[1,\"2\"]", "[1,\"a\"]",
        #"{"1":2}"#, #"{"1":"x"}"#, #"{"x":2}"#, #"{"x":null}"#,
        #"{"é":1}"#, #"{"e\u0301":1}"#, #"{"\u0031":2}"#, #"{"value":1}"#, #"{"value":null}"#,
        #"{"value":{"value":"x"}}"#, #"{"point":{}}"#, #"{"circle":{"radius":1}}"#,
        #"{"circle":{"radius":"x"}}"#, #"{"circle":{}}"#,
        #"{"pair":{"_0":{"point":{}},"_1":{"circle":{"radius":2}}}}"#, #"{"pair":{"_0":1}}"#,
    ]

    private func compare<Value: Codable & Equatable>(_ type: Value.Type) {
        for text in Self.texts {
            #expect(
                ours(type, text.utf8) == foundations(type, text.utf8), "\(text) as \(type)")
            for json in [#"{"value":\#(text)}"#, #" { "x" : [1,{}] , "value" :\#t\#(text)\#n} "#] {
                let decoded = ours(Box<Value>.self, json.utf8)
                #expect(
                    decoded == foundations(Box<Value>.self, json.utf8), "\(json) as \(type)")
            }
            let array = "[[\(text)],\(text)]".utf8
            #expect(
                ours([[Value]].self, array) == foundations([[Value]].self, array),
                "\(text) as [[\(type)]]")
            #expect(
                ours([Value?].self, "[\(text),null]".utf8)
                    == foundations([Value?].self, "[\(text),null]".utf8),
                "\(text) as [\(type)?]")
        }
    }

    @Test func tokensDecodeAsFoundationDecodesThem() {
        compare(Bool.self)
        compare(String.self)
        compare(Double.self)
        compare(Float.self)
        compare(UUID.self)
        compare(Date.self)
        compare(URL.self)
        compare(Data.self)
        compare(Decimal.self)
        compare(Specimen.Mood.self)
    }

    @Test func integersDecodeAsFoundationDecodesThem() {
        compare(Int.self)
        compare(Int8.self)
        compare(Int16.self)
        compare(Int32.self)
        compare(Int64.self)
        compare(Int128.self)
        compare(UInt.self)
        compare(UInt8.self)
        compare(UInt16.self)
        compare(UInt32.self)
        compare(UInt64.self)
        compare(UInt128.self)
    }

    @Test func containersDecodeAsFoundationDecodesThem() {
        compare([Int].self)
        compare([Int?].self)
        compare([[Double]].self)
        compare([String: Int].self)
        compare([Int: Int].self)
        compare([Specimen.Named: Int].self)
        compare([Specimen.Key: Int].self)
        compare(Box<Int>.self)
        compare(Box<Int?>.self)
        compare(Box<Box<String>>.self)
        compare(Specimen.Shape.self)
        compare(Int?.self)
        compare(Set<Int>.self)
        compare(Date?.self)
        compare(ClosedRange<Int>.self)
    }

    @Test func randomValuesOfFoundationsEncoderDecode() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<TestSize.choose(sample: 40, gate: 200, full: 200) {
            let value = Specimen(&random)
            let json = try JSONEncoder().encode(value)
            #expect(ours(Specimen.self, json) == .value(value), "seed \(seed)")
        }
    }

    @Test func keysAreFoundInAnyOrderAndNumber() throws {
        let keys = (0..<100).map { "key \($0)" } + ["é", "\"", "K"]
        let json = try foundationsJSON(of: Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
        #expect(
            ours([String: Int].self, json.utf8) == foundations([String: Int].self, json.utf8))
        let specimen = #"{"b":2,"c":[{"a":5}],"a":1}"#
        struct Reversed: Codable, Equatable {
            var a: Int
            var b: Int
        }
        #expect(ours(Reversed.self, specimen.utf8) == .value(Reversed(a: 1, b: 2)))
    }

    /// Unicode's Kelvin sign is canonically equivalent to K, so Swift's strings are equal.
    @Test func canonicallyEquivalentKeysAreEqual() {
        struct Kelvin: Codable, Equatable {
            var K: Int
            var é: Int
        }
        for json in ["{\"\u{212A}\":1,\"e\u{301}\":2}", #"{"\u212a":1,"\u00e9":2}"#] {
            #expect(ours(Kelvin.self, json.utf8) == .value(Kelvin(K: 1, é: 2)))
            #expect(foundations(Kelvin.self, json.utf8) == .value(Kelvin(K: 1, é: 2)))
        }
    }
}
