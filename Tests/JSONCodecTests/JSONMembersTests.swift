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

    @Test func changesAreInTheOrderOfTheNewMembers() {
        let old = Array(#"{"a":1,"b":2,"a":3,"c":[1],"d":4}"#.utf8)[...]
        let new = Array(#"{"e":5,"c":[1],"\u0061":1,"b":3}"#.utf8)[...]
        let changes = JSONMembers.changes(from: old, to: new)
        #expect(changes.map(\.name) == ["e", "b", "d"])
        let values = changes.map {
            [$0.old, $0.new].map { $0.map { String(decoding: $0, as: UTF8.self) } }
        }
        #expect(values == [[nil, "5"], ["2", "3"], ["4", nil]])
        #expect(JSONMembers.changes(from: old, to: Array("7".utf8)[...]).count == 4)
    }

    @Test func severalMembersAreReplacedAtOnce() {
        let object = Array(#"{"a" : 1, "b":2}"#.utf8)[...]
        let values = ["b": "[]", "d": "4", "c": "3"].mapValues { Array($0.utf8)[...] }
        let replaced = JSONMembers.replacing(values, in: object)
        #expect(
            String(decoding: replaced, as: UTF8.self) == #"{"a" : 1,"b":[],"c":3,"d":4}"#)
    }
}
