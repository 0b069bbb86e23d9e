import Foundation
import TestSupport
import Testing

@testable import JSONCodec

/// The scanner agrees with `JSONSerialization`, except where that one differs from RFC 8259.
struct JSONScannerTests {
    private func elements(_ bytes: some Sequence<UInt8>) throws -> [ArraySlice<UInt8>] {
        let bytes = Array(bytes)
        return try JSONScanner.elements(of: bytes).map { bytes[$0.range] }
    }

    private func isArray(_ bytes: some Sequence<UInt8>) -> Bool {
        (try? elements(bytes)) != nil
    }

    private func foundation(_ bytes: some Sequence<UInt8>) -> NSArray? {
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
            as? NSArray
    }

    @Test func elementsOfGeneratedArraysAreThoseOfFoundation() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        for _ in 0..<500 {
            let document = RandomJSON.array(by: &random)
            let expected = try #require(foundation(document.utf8), "seed \(random.seed)")
            let found = try elements(document.utf8).map { element in
                try JSONSerialization.jsonObject(with: Data(element), options: .fragmentsAllowed)
            }
            #expect(found as NSArray == expected, "seed \(random.seed): \(document)")
            let compact = Array(document.utf8).withoutSpaceBetweenTokens()
            #expect(foundation(compact) == expected, "seed \(random.seed): \(document)")
            #expect(compact.withoutSpaceBetweenTokens() == compact)
            #expect(!compact.contains(UInt8(ascii: "\n")))
        }
    }

    @Test func mutatedDocumentsAreArraysIfFoundationSaysSo() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        var agreements = [true: 0, false: 0]
        for _ in 0..<TestSize.choose(sample: 500, gate: 20_000, full: 200_000) {
            let document = RandomJSON.mutated(by: &random)
            let text = String(decoding: document, as: UTF8.self)
            // The known differences between the two have their own tests below.
            let isKnownDifference =
                text.contains(/,[ \n\t\r]*[\]}]/) || text.contains(/\\u[dD]|[eE]\+?[0-9]{3}/)
            if isKnownDifference { continue }
            let expected = foundation(document) != nil
            agreements[expected, default: 0] += 1
            #expect(isArray(document) == expected, "seed \(random.seed): \(text.debugDescription)")
        }
        let least = TestSize.choose(sample: 20, gate: 500, full: 500)
        #expect(agreements.values.allSatisfy { $0 > least }, "\(agreements)")
    }

    @Test(arguments: ["[1,]", "[{\"a\":1,}]", "[1, ]", "[[],]"])
    func trailingCommaIsRefusedAlthoughFoundationAcceptsIt(_ text: String) {
        #expect(foundation(text.utf8) != nil)
        #expect(!isArray(text.utf8))
    }

    @Test func otherEncodingsAreRefusedAlthoughFoundationAcceptsThem() throws {
        for encoding: String.Encoding in [.utf16LittleEndian, .utf16, .utf32BigEndian] {
            let bytes = try #require("[1]".data(using: encoding))
            #expect(foundation(bytes) != nil)
            #expect(!isArray(bytes))
        }
    }

    @Test(arguments: [#"["\ud83d"]"#, #"["\ude00\ud83d"]"#, "[1e999]", "[-1E400]"])
    func validTokensAreAcceptedAlthoughFoundationRefusesThem(_ text: String) {
        #expect(foundation(text.utf8) == nil)
        #expect(isArray(text.utf8))
    }

    @Test func nestingHasALimit() {
        for depth in [1, 10, 63, 64, 65, 66, 10_000] {
            let lists = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(isArray(lists.utf8) == (depth <= 64), "\(depth)")
        }
        let objects =
            String(repeating: "{\"a\":", count: 64) + "1" + String(repeating: "}", count: 64)
        #expect(!isArray("[\(objects)]".utf8))
    }

    @Test(arguments: [
        "[0]", "[-0]", "[0.0]", "[1e5]", "[1E+5]", "[1.5e-5]", "[\"\\u00Ff\"]", "[\"\u{7F}\"]",
        "\r\n\t []\r\n\t ", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[true,false,null]", "[\"\"]",
    ])
    func everyKindOfTokenIsAccepted(_ text: String) {
        #expect(isArray(text.utf8))
    }

    @Test(arguments: [
        "[01]", "[+1]", "[.5]", "[1.]", "[1e]", "[1e+]", "[-]", "[0x1]", "[1 2]", "[--1]",
        "[\"\\u00g0\"]", "[\"\\u00e\"]", "[\"\\a\"]", "[\"\t\"]", "[\"\u{0}\"]", "['a']", "[tru]",
        "[True]", "[nul]", "[{\"a\"}]", "[{1:2}]", "[{\"a\":}]", "[,1]", "[1,,2]", "[}", "[{]", "[",
        "", " ", "]", "[]]", "[][]", "\u{C}[]", "[\u{2028}]", "\u{FEFF}\u{FEFF}[]",
    ])
    func invalidJSONIsRefused(_ text: String) {
        #expect(!isArray(text.utf8))
    }

    @Test func elementsDoNotIncludeTheSpaceAround() throws {
        let found = try elements("\u{FEFF} [ 1 ,\n\"a b\"\t, { \"c\" : [ ] } ] ".utf8)
        #expect(
            found.map { String(decoding: $0, as: UTF8.self) } == [
                "1", "\"a b\"", "{ \"c\" : [ ] }",
            ])
    }

    @Test func errorHasTheOffsetOfTheFault() throws {
        let error = #expect(throws: JSONScanner.SyntaxError.self) {
            try JSONScanner.elements(of: Array("[1,\n x]".utf8))
        }
        #expect(error?.offset == 5)
    }
}

/// Random JSON.
enum RandomJSON {
    static func array(by random: inout SeededGenerator) -> String {
        let values = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
            value(depth: 0, by: &random)
        }
        return "\(space(&random))[\(values.joined(separator: ","))\(space(&random))]\n"
    }

    private static func value(depth: Int, by random: inout SeededGenerator) -> String {
        let (before, after) = (space(&random), space(&random))
        let isInnermost = depth > 3
        let inner = (0..<(isInnermost ? 0 : Int.random(in: 0..<4, using: &random))).map { _ in
            value(depth: depth + 1, by: &random)
        }
        let text: String
        switch Int.random(in: 0..<7, using: &random) {
        case 0: text = "[\(inner.joined(separator: ","))]"
        case 1:
            let members = inner.enumerated().map { "\(before)\"k\($0)\"\(after):\($1)" }
            text = "{\(members.joined(separator: ","))}"
        case 2: text = string(&random)
        case 3: text = "\(Int.random(in: -9999...9999, using: &random))"
        case 4: text = "\(Double.random(in: -1e9...1e9, using: &random))"
        case 5: text = ["1e5", "-0.5E-3", "0"].randomElement(using: &random) ?? ""
        default: text = ["true", "false", "null"].randomElement(using: &random) ?? ""
        }
        return before + text + after
    }

    private static func string(_ random: inout SeededGenerator) -> String {
        let pieces = [
            "a", " ", "\\\"", "\\\\", "\\u00e9", "é", "☕️", "\\ud83d\\ude00", "[", ",", "}",
        ]
        let count = Int.random(in: 0..<6, using: &random)
        return
            "\"\((0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined())\""
    }

    private static func space(_ random: inout SeededGenerator) -> String {
        ["", "", " ", "\n", "\t", "\r\n"].randomElement(using: &random) ?? ""
    }

    /// An array with up to three bytes removed, added or replaced.
    static func mutated(by random: inout SeededGenerator) -> [UInt8] {
        let alphabet = Array("[]{},:\"\\ /\n\t0123456789-+.eEtrufalsn\u{1}\u{7F}é'NaI".utf8)
        let originals = [
            "[]", "[1,2.5e3,-0]", #"[{"a":[true,false,null]},"x\u00e9\n"]"#,
            "[0.1, 1E+2, \"\" , [[]]]",
            #"[{"a":1,"b":{"c":[1]}}]"#,
        ]
        var bytes = Array((originals.randomElement(using: &random) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let position = bytes.indices.randomElement(using: &random) ?? 0
            let byte = (alphabet + [0xFF, 0xC3, 0xED]).randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes.remove(at: position)
            case 1: bytes.insert(byte, at: position)
            default: bytes[position] = byte
            }
        }
        return bytes
    }
}
