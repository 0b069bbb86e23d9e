import TestSupport
import Testing

@testable import Directory

struct LineOperationTests {
    /// The bytes of an operation, without the newline at their end.
    private func encoded(_ operation: LineOperation) throws -> ArraySlice<UInt8> {
        var bytes: [UInt8] = []
        operation.append(to: &bytes)
        try #require(bytes.last == UInt8(ascii: "\n"))
        return bytes.dropLast()
    }

    @Test func eachKindIsWrittenAsALine() throws {
        let line = Array(#"{"id":1}"#.utf8)[...]
        let operations: [(LineOperation, String)] = [
            (.insert(line, at: 0), #"+ 0 {"id":1}"#),
            (.replace(line, at: 12), #"= 12 {"id":1}"#),
            (.remove(at: 3, checksum: 0xBEEF), "- 3 0000beef"),
        ]
        for (operation, text) in operations {
            #expect(String(decoding: try encoded(operation), as: UTF8.self) == text)
            #expect(LineOperation(Array(text.utf8)[...]) == operation)
        }
    }

    @Test func writtenOperationIsReadBack() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        for _ in 0..<2_000 {
            let operation = LineOperation.random(positions: 0...Int.max, by: &random)
            #expect(LineOperation(try encoded(operation)) == operation, "seed \(random.seed)")
        }
    }

    @Test(arguments: [
        "", "+", "+ 1", "+1 {}", "* 1 {}", "++ 1 {}", "+ -1 {}", "+ +1 {}", "+ 1.0 {}", "+ x {}",
        "+ 9223372036854775808 {}", "+  1 {}", " + 1 {}", "- 1 beef", "- 1 0000BEEF",
        "- 1 0000beef ",
        "- 1 0000beeg", "- 1", "! 1 2 3", "+ ١ {}",
    ])
    func invalidOperationIsRefused(_ text: String) {
        #expect(LineOperation(Array(text.utf8)[...]) == nil)
    }

    @Test func linesChangeAsAnArrayDoes() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        for _ in 0..<TestSize.choose(sample: 30, gate: 200, full: 200) {
            var model = (0..<Int.random(in: 0...40, using: &random)).map {
                Array("\($0)".utf8)[...]
            }
            var lines = IndexLines(model)
            for step in 0..<80 {
                let bounds = 0...(model.count + 1)
                var operation = LineOperation.random(positions: bounds, by: &random)
                if case .remove(let position, _) = operation, position < model.count {
                    operation = .remove(
                        at: position, checksum: CRC32.checksum(of: model[position]))
                }
                let fits = operation.apply(to: &model)
                let isApplied = lines.apply(operation)
                try lines.checkInvariants()
                #expect(isApplied == fits, "seed \(random.seed), step \(step)")
            }
            #expect(lines.lines == model, "seed \(random.seed)")
        }
    }

    @Test func removalOfAnotherLineIsRefused() {
        var lines = IndexLines([Array("a".utf8)[...], Array("b".utf8)[...]])
        let checksum = CRC32.checksum(of: Array("b".utf8))
        let isApplied = lines.apply(.remove(at: 0, checksum: checksum))
        #expect(!isApplied)
    }
}

extension LineOperation {
    static func random(positions: ClosedRange<Int>, by random: inout SeededGenerator) -> Self {
        let position = Int.random(in: positions, using: &random)
        let alphabet = Array(#"{}[]" :,+-=!0aé☕️"#.utf8)
        let line = (0..<Int.random(in: 0...30, using: &random)).compactMap { _ in
            alphabet.randomElement(using: &random)
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return .insert(line[...], at: position)
        case 1: return .replace(line[...], at: position)
        default: return .remove(at: position, checksum: .random(in: 0 ... .max, using: &random))
        }
    }

    /// Applies this operation to a plain array; returns false if its position is invalid.
    fileprivate func apply(to lines: inout [ArraySlice<UInt8>]) -> Bool {
        switch self {
        case .insert(let line, let position) where position <= lines.count:
            lines.insert(line, at: position)
        case .replace(let line, let position) where position < lines.count:
            lines[position] = line
        case .remove(let position, _) where position < lines.count: lines.remove(at: position)
        default: return false
        }
        return true
    }
}
