import TestSupport
import Testing

@testable import Directory

struct NumberTableTests {
    /// Many hashes differ in few bits.
    @Test func tableIsTheSameAsADictionary() {
        var random = SeededGenerator(named: "number table")
        for _ in 0..<TestSize.choose(sample: 20, gate: 500, full: 5_000) {
            var (table, model) = (NumberTable(), [Int: Int]())
            let spread = Int.random(in: 1...64, using: &random)
            let hashes = (0..<100).map { _ in
                Int.random(in: -spread...spread, using: &random)
                    &+ Int.random(in: 0...3, using: &random) << 40
            }
            for number in 0..<300 {
                guard let hash = hashes.randomElement(using: &random) else { continue }
                if model[hash] == nil {
                    table.insert(Int32(number), hash)
                    model[hash] = number
                } else {
                    #expect(table.remove(hash) == model.removeValue(forKey: hash), "\(random)")
                    #expect(table.remove(hash) == nil, "\(random)")
                }
            }
            #expect(table.count == model.count, "\(random)")
            for hash in hashes { #expect(table[hash] == model[hash], "\(random)") }
        }
    }
}
