import Foundation
import TestSupport
import Testing

@testable import JSONCodec

/// The only cases in which our codec differs from Foundation's, each a test.
struct CodecStrictnessTests {
    struct Pair: Codable, Equatable {
        var a: Int
        var b: Int?
    }

    private func isOnlyAcceptedByFoundation<Value: Decodable & Equatable>(
        _ json: some Sequence<UInt8>, as type: Value.Type = Pair.self
    ) {
        #expect(foundations(type, json).isValue)
        #expect(!ours(type, json).isValue)
    }

    @Test func duplicateKeysAreErrors() {
        isOnlyAcceptedByFoundation(#"{"a":1,"a":1}"#.utf8)
        isOnlyAcceptedByFoundation(#"{"a":1,"\u0061":2}"#.utf8)
        isOnlyAcceptedByFoundation("{\"a\":1,\"é\":1,\"e\u{301}\":1}".utf8)
        let many = (0..<50).map { #""key \#($0)":1,"# }.joined()
        isOnlyAcceptedByFoundation("{\(many)\"a\":1,\"key 7\":1}".utf8)
    }

    @Test func duplicateKeysOfObjectsThatAreNotDecodedAreAccepted() {
        #expect(ours(Pair.self, #"{"a":1,"c":{"x":1,"x":2}}"#.utf8).isValue)
    }

    @Test func trailingCommasAreErrors() {
        isOnlyAcceptedByFoundation(#"{"a":1,}"#.utf8)
        isOnlyAcceptedByFoundation("[1,]".utf8, as: [Int].self)
    }

    @Test func otherEncodingsThanUTF8AreErrors() {
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf32BigEndian] {
            if let json = #"{"a":1}"#.data(using: encoding) { isOnlyAcceptedByFoundation(json) }
        }
        #expect(ours(Pair.self, "\u{FEFF}{\"a\":1}".utf8).isValue)
    }

    @Test func invalidValuesThatAreNotDecodedAreErrors() {
        for value in ["01", "1.2.3", "1e", "-", "--1", #""\q""#, #""\u12G4""#, "\"\u{1}\\n\""] {
            isOnlyAcceptedByFoundation(#"{"a":1,"c":\#(value)}"#.utf8)
        }
        isOnlyAcceptedByFoundation(Array(#"{"a":1,"c":""#.utf8) + [0xFF] + Array("\"}".utf8))
    }

    /// Foundation leaves out the containers that are still open.
    @Test func codingPathOfAnErrorIncludesOpenContainers() {
        struct Open: Encodable {
            func encode(to encoder: any Encoder) throws {
                var keyed = encoder.container(keyedBy: Specimen.Key.self)
                var list = keyed.nestedUnkeyedContainer(forKey: .init(stringValue: "a"))
                try list.encode(Double.nan)
            }
        }
        #expect(
            CodecOutcome { try line(of: Open()) }
                == .failure(#"invalidValue nan at ["a|", "Index 0|0"]"#))
    }
}
