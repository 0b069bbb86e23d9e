import Foundation
import Testing

@testable import JSONCodec

/// A coder handles one line after the other, and nothing of a line stays for the next.
struct CodecReuseTests {
    private func decode<Value: Decodable>(
        _ type: Value.Type, _ json: String, with decoder: inout LineDecoder
    ) throws -> Value {
        try Array(json.utf8).withUnsafeBufferPointer { try decoder.decode(type, from: $0) }
    }

    @Test func validLineDecodesAfterAnInvalidOne() throws {
        let valid = #"{"a":{"b":{"c":1}}}"#
        for invalid in [
            #"{"a":{"\ud800":{"c":1}}}"#, #"{"a":{"b":{"\ud800":1}}}"#, #"{"a":{"b":1,"b":1}}"#,
            #"{"a":{"b":{"c":""}}}"#, #"{"a":{"b":{"c":1}}"#, #"{"a":{"b":[1]}}"#, "[",
        ] {
            var decoder = LineDecoder(nil)
            typealias Value = [String: [String: [String: Int]]]
            #expect(throws: (any Error).self) {
                try decode(Value.self, invalid, with: &decoder)
            }
            let decoded = try decode(Value.self, valid, with: &decoder)
            #expect(decoded == ["a": ["b": ["c": 1]]], "after \(invalid)")
        }
    }

    @Test func objectWithWrongKeysIsAnErrorEachTime() throws {
        struct Stubborn: Decodable {
            init(from decoder: any Decoder) throws {
                _ = try? decoder.container(keyedBy: Specimen.Key.self)
                _ = try decoder.container(keyedBy: Specimen.Key.self)
            }
        }
        for json in [#"{"a":1,"a":1}"#, #"{"\ud800":1}"#] {
            #expect(throws: DecodingError.self) {
                try LineDecoder.decode(Stubborn.self, from: Array(json.utf8))
            }
        }
    }

    @Test func decoderIsReusedAndThenReleased() throws {
        final class Outer: Decodable {
            private(set) weak var decoder: JSONValueDecoder?
            init(from decoder: any Decoder) throws {
                self.decoder = decoder as? JSONValueDecoder
                let keyed = try decoder.container(keyedBy: Specimen.Key.self)
                let nested = try keyed.nestedContainer(
                    keyedBy: Specimen.Key.self, forKey: .init(stringValue: "a"))
                let innermost = try nested.nestedContainer(
                    keyedBy: Specimen.Key.self, forKey: .init(stringValue: "b"))
                #expect(innermost.codingPath.map(\.stringValue) == ["a", "b"])
            }
        }
        func decodeTwo() throws -> [Outer] {
            var decoder = LineDecoder(nil)
            let values = try (0..<2).map { _ in
                try decode(Outer.self, #"{"a":{"b":{}}}"#, with: &decoder)
            }
            #expect(values[0].decoder != nil && values[0].decoder === values[1].decoder)
            return values
        }
        #expect(try decodeTwo()[0].decoder == nil)
    }

    @Test func keptDecoderIsReusedAndReleasedAfterwards() throws {
        struct Keeper: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) { self.decoder = decoder }
        }
        weak var kept: JSONValueDecoder?
        func decodeTwo() throws {
            var decoder = LineDecoder(nil)
            func keys(_ json: String) throws -> [String] {
                let keeper = try decode(Keeper.self, json, with: &decoder)
                kept = keeper.decoder as? JSONValueDecoder
                let keyed = try keeper.decoder.container(keyedBy: Specimen.Key.self)
                let nested = try keyed.nestedContainer(
                    keyedBy: Specimen.Key.self, forKey: .init(stringValue: "a"))
                return nested.allKeys.map(\.stringValue)
            }
            #expect(try keys(#"{"a":{"b":1}}"#) == ["b"])
            weak var first: JSONValueDecoder?
            first = kept
            #expect(try keys(#"{"a":{"c":1}}"#) == ["c"])
            #expect(first != nil && first === kept)
        }
        try decodeTwo()
        #expect(kept == nil)
    }

    @Test func decodersForSuperclassesAreReleased() throws {
        final class Subclass: Decodable {
            private(set) weak var superDecoder: JSONValueDecoder?
            init(from decoder: any Decoder) throws {
                let keyed = try decoder.container(keyedBy: Specimen.Key.self)
                let superDecoder = try keyed.superDecoder()
                self.superDecoder = superDecoder as? JSONValueDecoder
                #expect(self.superDecoder != nil)
                let superKeyed = try superDecoder.container(keyedBy: Specimen.Key.self)
                #expect(superKeyed.allKeys.map(\.stringValue) == ["a"])
                #expect(superKeyed.codingPath.map(\.stringValue) == ["super"])
            }
        }
        var decoder = LineDecoder(nil)
        let value = try decode(Subclass.self, #"{"super":{"a":1}}"#, with: &decoder)
        #expect(value.superDecoder == nil)
    }

    @Test func encodersOfOpenContainersAreReleased() throws {
        final class Outer: Encodable {
            private(set) weak var encoder: JSONValueEncoder?
            func encode(to encoder: any Encoder) throws {
                var keyed = encoder.container(keyedBy: Specimen.Key.self)
                var nested = keyed.nestedUnkeyedContainer(forKey: .init(stringValue: "a"))
                var innermost = nested.nestedUnkeyedContainer()
                try innermost.encode(1)
                self.encoder = innermost.superEncoder() as? JSONValueEncoder
                #expect(self.encoder != nil)
            }
        }
        let outer = Outer()
        #expect(try line(of: outer) == #"{"a":[[1,{}]]}"#)
        #expect(outer.encoder == nil)
    }
}
