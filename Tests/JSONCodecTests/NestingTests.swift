import Foundation
import TestSupport
import Testing

@testable import JSONCodec

/// The limit of nesting, which any thread can bear.
struct NestingTests {
    private func nested(_ depth: Int) -> [UInt8] {
        [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth)
    }

    /// The array that holds the lines is one level of the 64.
    @Test func aLineHasAtMost63Levels() throws {
        #expect(throws: Never.self) { try LineDecoder.decode(Lists.self, from: nested(63)) }
        #expect(throws: DecodingError.self) { try LineDecoder.decode(Lists.self, from: nested(64)) }
        #expect(throws: Never.self) { try JSONScanner.elements(of: [0x5B] + nested(63) + [0x5D]) }
        #expect(throws: JSONScanner.SyntaxError.self) {
            try JSONScanner.elements(of: [0x5B] + nested(64) + [0x5D])
        }
        for depth in [1, 2, 62, 63] {
            #expect(try line(of: Lists(nested: depth)).count == 2 * depth)
        }
        for depth in [64, 65, TestSize.choose(sample: 500, gate: 5_000, full: 5_000)] {
            #expect(throws: EncodingError.self) { try line(of: Lists(nested: depth)) }
        }
    }

    /// As for our own encoder and decoder.
    @Test func aLineOfACustomEncoderHasAtMost63Levels() throws {
        var encoder = LineEncoder(JSONEncoder())
        try encoder.append(Lists(nested: 63))
        let line = Array(encoder.lines[0])
        let custom = JSONDecoder()
        #expect(try LineDecoder.decode(Lists.self, from: line, with: custom) == Lists(nested: 63))
        #expect(throws: (any Error).self) { try encoder.append(Lists(nested: 64)) }
        #expect(throws: DecodingError.self) {
            try LineDecoder.decode(Lists.self, from: nested(64), with: custom)
        }
    }

    /// Every thread but the main one has 512 KiB on Apple's systems.
    ///
    /// Here it is half of that, so
    /// that as much is left for what the caller does.
    @Test func valuesOf63LevelsFitHalfOfASmallStack() throws {
        try withStack(ofKiB: 256) {
            try checkRoundTrip(Lists(nested: 63))
            try checkRoundTrip(Outline(nested: 32))
            try checkRoundTrip(Chain(nested: 31))
            try checkRoundTrip(Names(nested: 31))
            try checkRoundTrip(Link(nested: 63))
            try checkRoundTrip(Tree(nested: 63))
        }
    }

    /// Each level has 40 members of all types, and so large frames.
    @Test func wideValuesOf63LevelsFitASmallStack() throws {
        try withStack(ofKiB: 512) { try checkRoundTrip(Wide(nested: 31)) }
    }

    @Test func deeperValuesAreErrorsOnASmallStack() throws {
        try withStack(ofKiB: 256) {
            #expect(throws: EncodingError.self) { try line(of: Outline(nested: 33)) }
            #expect(throws: EncodingError.self) { try line(of: Chain(nested: 200)) }
            #expect(throws: EncodingError.self) { try line(of: Link(nested: 200)) }
            #expect(throws: DecodingError.self) {
                try LineDecoder.decode(Lists.self, from: nested(100_000))
            }
        }
    }

    /// Such containers are opened without `try`, so the error comes in the end.
    @Test func manyOpenContainersInOneAnotherAreAnError() throws {
        struct Open: Encodable {
            // In a sample it is still too deep for the stack.
            let depth = TestSize.choose(sample: 15_000, gate: 100_000, full: 100_000)

            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                for _ in 0..<depth { list = list.nestedUnkeyedContainer() }
                try list.encode(1)
                var keyed = list.nestedContainer(keyedBy: Specimen.Key.self)
                let key = Specimen.Key(stringValue: "a")
                for _ in 0..<depth {
                    keyed = keyed.nestedContainer(keyedBy: Specimen.Key.self, forKey: key)
                }
                var single = keyed.superEncoder(forKey: key).singleValueContainer()
                try single.encode(1)
            }
        }
        try withStack(ofKiB: 512) {
            #expect(throws: EncodingError.self) { try line(of: Open()) }
        }
    }

    private func checkRoundTrip<Value: Codable & Equatable>(_ value: Value) throws {
        let json = try line(of: value)
        #expect(try LineDecoder.decode(Value.self, from: Array(json.utf8)) == value)
    }
}
