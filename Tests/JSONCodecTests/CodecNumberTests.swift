import Foundation
import TestSupport
import Testing

@testable import JSONCodec

struct CodecNumberTests {
    private func roundTrip(_ number: Double, _ comment: String) throws {
        let json = try line(of: [number])
        let read = try LineDecoder.decode([Double].self, from: Array(json.utf8))
        #expect(read.map(\.bitPattern) == [number.bitPattern], "\(number), \(comment)")
        let foundation = try JSONDecoder().decode([Double].self, from: Data(json.utf8))
        #expect(foundation.map(\.bitPattern) == [number.bitPattern], "\(number), \(comment)")
    }

    @Test func doublesOfEveryExponentRoundTrip() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        let count = TestSize.choose(sample: 1, gate: 8, full: 8)
        for exponent in 0..<2047 {
            for _ in 0..<count {
                let pattern = UInt64(exponent) << 52 | random.next() & 0x800F_FFFF_FFFF_FFFF
                try roundTrip(Double(bitPattern: pattern), "seed \(seed)")
            }
        }
        for number in [
            0, -0.0, 1, -1, 1e308, .greatestFiniteMagnitude, .leastNormalMagnitude,
            .leastNonzeroMagnitude, .leastNormalMagnitude.nextDown, .pi, 0.1, 1e22, 1e23, 1e-22,
            0x1p53, 0x1p53 + 2, 0x1p63, 0x1p64, 785_736_621.12345672,
        ] { try roundTrip(number, "") }
    }

    @Test func floatsOfEveryExponentRoundTrip() throws {
        var random = SeededGenerator(seed: 1)
        for exponent in 0..<UInt32(255) {
            let pattern = exponent << 23 | UInt32(truncatingIfNeeded: random.next()) & 0x807F_FFFF
            let json = try line(of: [Float(bitPattern: pattern)])
            let read = try LineDecoder.decode([Float].self, from: Array(json.utf8))
            #expect(read.map(\.bitPattern) == [pattern], "\(json)")
        }
    }

    /// The numbers of digits and the exponents are around those at which the algorithm changes.
    @Test func decimalNumbersDecodeAsFoundationDecodesThem() {
        var random = SeededGenerator()
        for _ in 0..<TestSize.choose(sample: 300, gate: 10_000, full: 400_000) {
            let count = Int.random(in: 1...25, using: &random)
            var digits = (0..<count).map { _ in "\(random.next() % 10)" }.joined()
            if digits.hasPrefix("0") { digits = "1" + digits.dropFirst() }
            let point = Int.random(in: 1...digits.count, using: &random)
            var text = String(digits.prefix(point))
            if point < digits.count { text += "." + digits.dropFirst(point) }
            if Bool.random(using: &random) { text = "-" + text }
            switch random.next() % 4 {
            case 0: text += "e\(Int.random(in: -40...40, using: &random))"
            case 1: text += "E+\(Int.random(in: 0...330, using: &random))"
            case 2: text += "e-\(Int.random(in: 0...350, using: &random))"
            default: break
            }
            let json = "[\(text)]".utf8
            #expect(
                ours([Double].self, json) == foundations([Double].self, json),
                "\(text), \(random)")
            #expect(ours([Float].self, json) == foundations([Float].self, json), "\(text)")
            #expect(ours([Int].self, json) == foundations([Int].self, json), "\(text)")
            #expect(ours([UInt64].self, json) == foundations([UInt64].self, json), "\(text)")
            #expect(ours([Int128].self, json) == foundations([Int128].self, json), "\(text)")
            #expect(ours([Decimal].self, json) == foundations([Decimal].self, json), "\(text)")
        }
    }

    /// Foundation refuses some of these.
    @Test func zerosWithAnExponentAreZero() throws {
        for text in ["0e6", "0E-400", "0.000e99", "-0e1"] {
            let read = try LineDecoder.decode([Double].self, from: Array("[\(text)]".utf8))
            #expect(read == [0])
            #expect(read.map(\.sign) == [text.hasPrefix("-") ? .minus : .plus])
        }
    }

    /// Close to the middle of two doubles, only the last of many digits decides.
    @Test func numbersInTheMiddleOfTwoDoublesRoundAsFoundationRoundsThem() throws {
        for number in [1, 3, 0x1p52 + 1, 0.1, 1e15 + 0.3, 123_456.789] {
            let half = Decimal(number) + (Decimal(number.nextUp) - Decimal(number)) / 2
            for text in ["\(half)", "\(half)1", "\(half)0000000000000000000001"] {
                let json = "[\(text.contains(".") ? text : "\(half).0")]".utf8
                #expect(ours([Double].self, json) == foundations([Double].self, json), "\(text)")
            }
        }
    }
}
