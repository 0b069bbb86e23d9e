import TestSupport
import Testing

@testable import JSONCodec

/// Members and elements are read in the pass that checks them.
struct JSONMembersTests {
    /// `JSONScannerTests` compares the scanner with Foundation.
    @Test func membersAndElementsAreReadOfTheValuesThatTheScannerAccepts() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        let interesting = Array(#"{}[],:"\u0 e1"#.utf8)
        for _ in 0..<TestSize.choose(sample: 500, gate: 3_000, full: 3_000) {
            var bytes = Array(#"{"a":\#(RandomJSON.array(by: &random)),"b" : {"a":[{}]} }"#.utf8)
            if Bool.random(using: &random) { bytes = Array(RandomJSON.array(by: &random).utf8) }
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let position = Int.random(in: bytes.indices, using: &random)
                let byte = interesting[Int.random(in: interesting.indices, using: &random)]
                switch random.next() % 3 {
                case 0: bytes.remove(at: position)
                case 1: bytes.insert(byte, at: position)
                default: bytes[position] = byte
                }
            }
            let isValid = bytes.withUnsafeBufferPointer {
                (try? JSONScanner.element(of: $0)) != nil
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(accepts { try JSONMembers.all(of: bytes[...]) } == isValid, "\(text)")
            #expect(accepts { try JSONMembers.elements(of: bytes[...]) } == isValid, "\(text)")
        }
    }

    /// Whether `read` accepts the bytes; names that are not text are refused by it alone.
    private func accepts<Value>(_ read: () throws -> Value) -> Bool {
        do {
            _ = try read()
            return true
        } catch let error as JSONScanner.SyntaxError {
            return error.reason == "a name is not text"
        } catch {
            return false
        }
    }

    @Test func theFirstMemberOfANameIsFoundWithoutTheOthers() throws {
        let line = Array(#"{"a" : 1, "\u0069d":"x","id":"y","b":{"c":2}}"#.utf8)[...]
        for member in try #require(try JSONMembers.all(of: line)) {
            #expect(JSONMembers.value(of: member.name, in: line) == member.value)
        }
        #expect(JSONMembers.value(of: "id", in: line).map(Array.init) == Array(#""x""#.utf8))
        #expect(JSONMembers.value(of: "c", in: line) == nil)
        #expect(JSONMembers.value(of: "a", in: Array("[1]".utf8)[...]) == nil)
    }
}
