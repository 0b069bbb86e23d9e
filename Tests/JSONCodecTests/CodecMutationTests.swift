import Foundation
import TestSupport
import Testing

@testable import JSONCodec

struct CodecMutationTests {
    /// Our decoder may refuse more than Foundation's; `CodecStrictnessTests` names each case.
    @Test func changedBytesDecodeAsFoundationDecodesThemOrAreRefused() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let interesting =
            Array(#"{}[],:"\/bfnrtu0123456789.eE+- aé"#.utf8) + [0, 1, 10, 0x80, 0xFF]
        for _ in 0..<TestSize.choose(sample: 12, gate: 60, full: 60) {
            let original = Array(try line(of: Specimen(&random)).utf8)
            for _ in 0..<50 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    let position = Int.random(in: bytes.indices, using: &random)
                    let byte = interesting[Int.random(in: interesting.indices, using: &random)]
                    switch random.next() % 4 {
                    case 0: bytes.remove(at: position)
                    case 1: bytes.insert(byte, at: position)
                    case 2: bytes[position] ^= 1 << UInt8(random.next() % 8)
                    default: bytes[position] = byte
                    }
                }
                let mine = ours(Specimen.self, bytes)
                let theirs = foundations(Specimen.self, bytes)
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(mine == theirs || mine.isRefusal, "seed \(seed): \(text)")
            }
        }
    }

    @Test func everyPrefixIsRefused() throws {
        var random = SeededGenerator(seed: 1)
        let json = Array(try line(of: Specimen(&random)).utf8)
        for count in json.indices {
            #expect(ours(Specimen.self, json[..<count]) == .failure("dataCorrupted at []"))
        }
    }

    /// A type can keep its decoder and containers longer than its initializer runs.
    @Test func keptDecodersAndContainersStayReadable() throws {
        final class Keeper: Decodable, Equatable {
            let decoder: any Decoder
            let keyed: KeyedDecodingContainer<Specimen.Key>
            init(from decoder: any Decoder) throws {
                self.decoder = decoder
                keyed = try decoder.container(keyedBy: Specimen.Key.self)
            }
            static func == (left: Keeper, right: Keeper) -> Bool { left === right }
        }
        var decoder = LineDecoder(nil)
        let keepers = try (0..<10).map { number in
            try Array(#"{"a":{"n":\#(number)},"b":[\#(number)]}"#.utf8)
                .withUnsafeBufferPointer { try decoder.decode(Keeper.self, from: $0) }
        }
        for (number, keeper) in keepers.enumerated() {
            let (a, b) = (Specimen.Key(stringValue: "a"), Specimen.Key(stringValue: "b"))
            #expect(try keeper.keyed.decode([String: Int].self, forKey: a) == ["n": number])
            #expect(try keeper.keyed.decode([Int].self, forKey: b) == [number])
            #expect(keeper.keyed.allKeys == [a, b])
            #expect(try keeper.decoder.container(keyedBy: Specimen.Key.self).contains(a))
        }
    }
}

extension CodecOutcome {
    /// Whether it is the error for invalid JSON or for two equal keys.
    fileprivate var isRefusal: Bool { description.hasPrefix("dataCorrupted") }
}
