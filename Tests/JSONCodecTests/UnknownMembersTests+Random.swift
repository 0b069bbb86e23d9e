import TestSupport
import Testing

@testable import JSONCodec

/// Random objects.
extension UnknownMembersTests {
    /// The three texts need not have anything to do with each other.
    @Test func everyMergeIsAValueWithTheMembersOfTheNewOne() throws {
        var random = SeededGenerator()
        for _ in 0..<TestSize.choose(sample: 150, gate: 10_000, full: 100_000) {
            let texts = (0..<3).map { _ in object(&random, depth: 3) }
            let merged = try merge(texts[0], texts[1], texts[2])
            let place: Comment = "\(random): \(texts) \(merged)"
            let keys = try [texts[0], texts[1], texts[2], merged].map(keys)
            #expect(keys[3] == keys[0].subtracting(keys[1]).union(keys[2]), place)
            let again = try merge(merged, texts[2], texts[2])
            #expect(again.replacing(" ", with: "") == merged.replacing(" ", with: ""), place)
        }
    }

    /// The keys of an object, whose text is checked.
    private func keys(_ text: String) throws -> Set<String?> {
        try Array(text.utf8).withUnsafeBufferPointer { bytes in
            _ = try JSONScanner.element(of: bytes)
            return Set(try JSONValue(bytes: bytes).members().map(\.key))
        }
    }

    private func object(_ random: inout SeededGenerator, depth: Int) -> String {
        let keys = ["a", "b", "id", "é", "\\u0061b", ""].shuffled(using: &random)
        let members = keys.prefix(.random(in: 0...4, using: &random)).map { key in
            "\"\(key)\":\(value(&random, depth: depth))"
        }
        return "{\(members.joined(separator: [",", " , "].randomElement(using: &random) ?? ","))}"
    }

    private func value(_ random: inout SeededGenerator, depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
        case 0: return "\(Int.random(in: 0..<3, using: &random))"
        case 1: return ["1.0", "1e0", "true", "null"].randomElement(using: &random) ?? ""
        case 2: return ["\"\"", "\"A\"", "\"\\u0041\""].randomElement(using: &random) ?? ""
        case 3: return ["[]", "{}", "{ }", "[ ]"].randomElement(using: &random) ?? ""
        case 4, 5: return object(&random, depth: depth - 1)
        default:
            let elements = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                value(&random, depth: depth - 1)
            }
            return "[\(elements.joined(separator: ", "))]"
        }
    }
}
