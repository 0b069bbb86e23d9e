import Foundation
import TestSupport

@testable import JSONCodec

/// The random numbers that make one value.
final class RandomSource {
    var random: SeededGenerator
    /// How many more values the value may contain.
    var budget = 60

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    func next(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
}

/// A value that writes itself at random: in any containers, in any order, and not always as JSON
/// permits.
struct AnyValue: Encodable {
    let source: RandomSource

    private var inner: AnyValue { self }

    func encode(to encoder: any Encoder) throws {
        source.budget -= 1
        switch source.next(source.budget > 0 ? 12 : 4) {
        case 0..<3:
            var single = encoder.singleValueContainer()
            try encodePrimitive(to: &single)
        case 3:
            if source.next(4) == 0 { return }
            var single = encoder.singleValueContainer()
            try single.encodeNil()
        case 4:
            var single = encoder.singleValueContainer()
            try single.encode(inner)
        case 5: try deep(source.next(80)).encode(to: encoder)
        case 6..<9:
            var list = encoder.unkeyedContainer()
            for _ in 0..<source.next(4) { try addElement(to: &list) }
        default:
            var keyed = encoder.container(keyedBy: Specimen.Key.self)
            for _ in 0..<source.next(5) { try addMember(to: &keyed) }
            if source.next(40) == 0 { _ = encoder.unkeyedContainer() }
        }
    }

    private func deep(_ levels: Int) -> Lists { Lists(nested: max(1, levels)) }

    private func encodePrimitive(to single: inout any SingleValueEncodingContainer) throws {
        switch source.next(9) {
        case 0: try single.encode(String.random(&source.random))
        case 1: try single.encode(Double(bitPattern: source.random.next()))
        case 2:
            try single.encode(Float(bitPattern: UInt32(truncatingIfNeeded: source.next(1 << 32))))
        case 3: try single.encode(Int128(source.random.next()) * -3_000_000_007)
        case 4: try single.encode(source.random.next())
        case 5: try single.encode(Decimal.random(&source.random))
        case 6: try single.encode(Date(timeIntervalSince1970: .random(&source.random)))
        case 7: try single.encode(source.next(9) == 0 ? Decimal.nan : 0.5)
        default: try single.encode(source.next(2) == 0)
        }
    }

    private func addElement(to list: inout any UnkeyedEncodingContainer) throws {
        switch source.next(6) {
        case 0: try list.encodeNil()
        case 1:
            var nested = list.nestedUnkeyedContainer()
            try list.encode(1)
            try nested.encode(inner)
        case 2:
            var nested = list.nestedContainer(keyedBy: Specimen.Key.self)
            try addMember(to: &nested)
        case 3: try inner.encode(to: list.superEncoder())
        case 4: try? list.encode(inner)
        default: try list.encode(inner)
        }
    }

    private func addMember(to keyed: inout KeyedEncodingContainer<Specimen.Key>) throws {
        let names = ["a", "b", "é", "e\u{301}", "super", "\u{0}\"", String.random(&source.random)]
        let key = Specimen.Key(stringValue: names[source.next(names.count)])
        switch source.next(7) {
        case 0: try keyed.encodeNil(forKey: key)
        case 1:
            var nested = keyed.nestedUnkeyedContainer(forKey: key)
            try keyed.encode(inner, forKey: Specimen.Key(stringValue: "a"))
            try nested.encode(inner)
        case 2:
            var nested = keyed.nestedContainer(keyedBy: Specimen.Key.self, forKey: key)
            try addMember(to: &nested)
        case 3: try inner.encode(to: keyed.superEncoder())
        case 4: try inner.encode(to: keyed.superEncoder(forKey: key))
        case 5: try? keyed.encode(inner, forKey: key)
        default: try keyed.encode(inner, forKey: key)
        }
    }
}

/// Any JSON, of which everything is decoded.
struct AnyJSON: Decodable {
    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() { return }
        if (try? single.decode(Bool.self)) != nil { return }
        if (try? single.decode(String.self)) != nil { return }
        if var list = try? decoder.unkeyedContainer() {
            while !list.isAtEnd { _ = try list.decode(AnyJSON.self) }
        } else if let keyed = try? decoder.container(keyedBy: Specimen.Key.self) {
            for key in keyed.allKeys { _ = try keyed.decode(AnyJSON.self, forKey: key) }
        } else {
            _ = try single.decode(Double.self)
        }
    }
}

extension Decimal {
    /// A number of any exponent, with up to 19 digits.
    static func random(_ random: inout SeededGenerator) -> Decimal {
        let exponent = Int.random(in: -128...108, using: &random)
        let digits = random.next() >> UInt64.random(in: 0..<64, using: &random)
        return Decimal(
            sign: Bool.random(using: &random) ? .plus : .minus, exponent: exponent,
            significand: Decimal(digits))
    }
}
