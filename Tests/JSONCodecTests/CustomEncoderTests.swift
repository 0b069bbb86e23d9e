import Foundation
import Testing

@testable import JSONCodec

/// Lines that come from an encoder of the caller.
struct CustomEncoderTests {
    private func line(_ json: String) throws -> String {
        var encoder = LineEncoder()
        try encoder.append(json: Array(json.utf8))
        return String(decoding: encoder.lines[0], as: UTF8.self)
    }

    @Test(arguments: [
        "", " ", "NaN", "{}{}", "1 2", "{", "[1,]", "// x\n1", "{\"a\":NaN}", "'a'", "\"\u{1}\"",
        "\u{FEFF}{}", "[1]]", "1,", "01",
    ])
    func textThatIsNotOneValueIsAnError(_ json: String) {
        #expect(throws: (any Error).self) { try line(json) }
    }

    @Test func bytesThatAreNotUTF8AreAnError() throws {
        var encoder = LineEncoder()
        let utf16 = try #require("{\"a\":1}".data(using: .utf16))
        for json in [
            Array(utf16), Array("\"".utf8) + [0xFF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
        ] {
            #expect(throws: (any Error).self) { try encoder.append(json: json) }
        }
        #expect(encoder.lines.isEmpty)
    }

    @Test func spaceAroundAValueIsLeftOut() throws {
        #expect(try line(" \t{\"a\": [1, 2]}\r\n ") == "{\"a\": [1, 2]}")
        #expect(try line("{\n  \"a b\" : 1\n}") == "{\"a b\":1}")
    }

    /// Foundation's encoder writes `NaN` for this value.
    @Test func valueThatFoundationWritesWronglyIsAnError() throws {
        var encoder = LineEncoder(JSONEncoder())
        try encoder.append(["a": Decimal(1)])
        #expect(throws: (any Error).self) { try encoder.append(["a": Decimal.nan]) }
        try encoder.append(["a": Decimal(2)])
        #expect(
            encoder.lines.map { String(decoding: $0, as: UTF8.self) } == ["{\"a\":1}", "{\"a\":2}"])
    }
}
