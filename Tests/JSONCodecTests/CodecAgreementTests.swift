import Foundation
import TestSupport
import Testing

@testable import JSONCodec

/// What the encoder accepts, the scanner and the decoder accept as well.
struct CodecAgreementTests {
    @Test func everyLineThatIsWrittenCanBeRead() throws {
        let random = SeededGenerator()
        var accepted = 0
        var refused = 0
        for number in 0..<TestSize.choose(sample: 150, gate: 6_000, full: 60_000) {
            let source = RandomSource(seed: random.seed &+ UInt64(number))
            guard let line = try? line(of: AnyValue(source: source)) else {
                refused += 1
                continue
            }
            accepted += 1
            try checkCanBeRead(line, "\(random), value \(number)")
        }
        let least = TestSize.choose(sample: 2, gate: 100, full: 100)
        #expect(accepted > 5 * least && refused > least, "\(accepted), \(refused), \(random)")
    }

    private func checkCanBeRead(_ line: String, _ comment: Comment) throws {
        let bytes = Array(line.utf8)
        let index = Array("[\n".utf8) + bytes + Array(",\n1\n]\n".utf8)
        let elements = try JSONScanner.elements(of: index)
        #expect(elements.count == 2 && elements.first?.line(of: index) == bytes[...], comment)
        #expect(!bytes.contains(0x0A), comment)
        #expect(throws: Never.self, comment) { try LineDecoder.decode(AnyJSON.self, from: bytes) }
        #expect(throws: Never.self, comment) {
            try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        }
    }

    /// In a property, an array and a dictionary; at the top; and caught by the type.
    @Test func decimalThatIsNotANumberIsAnError() throws {
        #expect(throws: EncodingError.self) { try line(of: Decimal.nan) }
        #expect(throws: EncodingError.self) { try line(of: [Decimal.nan]) }
        #expect(throws: EncodingError.self) { try line(of: ["a": Decimal.nan]) }
        #expect(throws: EncodingError.self) { try line(of: [1: Decimal?.some(.nan)]) }
        #expect(throws: EncodingError.self) { try line(of: Decimal.greatestFiniteMagnitude / 0) }
        struct Forgiving: Encodable {
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try? list.encode(Decimal.nan)
                try list.encode(Decimal(2))
            }
        }
        #expect(try line(of: Forgiving()) == "[2]")
    }

    @Test func everyDecimalThatIsANumberCanBeRead() throws {
        var random = SeededGenerator()
        var limits = [Decimal.greatestFiniteMagnitude, .leastFiniteMagnitude, .zero]
        limits += [.leastNormalMagnitude, .leastNonzeroMagnitude, -.leastNonzeroMagnitude]
        for number in 0..<2_000 {
            let value = number < limits.count ? limits[number] : .random(&random)
            let json = try line(of: value)
            #expect(try LineDecoder.decode(Decimal.self, from: Array(json.utf8)) == value)
        }
    }

    @Test func everyURLThatIsWrittenCanBeRead() throws {
        var random = SeededGenerator()
        var urls = [URL(filePath: ""), URL(filePath: "/a b/%/é"), URL(filePath: "a:b")]
        urls += ["#", "?", "//", "a:", "http://[::1]/"].compactMap { URL(string: $0) }
        for _ in 0..<2_000 {
            let bytes = Data((0..<5).map { _ in UInt8.random(in: 0...255, using: &random) })
            if let url = URL(dataRepresentation: bytes, relativeTo: nil) { urls.append(url) }
            urls.append(URL(filePath: String.random(&random)))
        }
        for url in urls {
            guard let json = try? line(of: url) else { continue }
            let read = CodecOutcome { try LineDecoder.decode(URL.self, from: Array(json.utf8)) }
            #expect(read.isValue, "\(json) \(random)")
        }
    }
}
