import DirectoryReplicas
import Testing
import TestSupport

@Suite struct PositionTests {
    @Test func aRunLiesBetweenItsNeighbours() {
        var random = SeededGenerator(named: "positions")
        var order: [Position] = []
        for _ in 0..<TestSize.choose(sample: 30, gate: 400, full: 2000) {
            let place = Int.random(in: 0...order.count, using: &random)
            let lower = place > 0 ? order[place - 1] : nil
            let upper = place < order.count ? order[place] : nil
            let count = Int.random(in: 1...70, using: &random)
            let run = Position.run(between: lower, and: upper, count: count, using: &random)
            #expect(run.count == count)
            order.insert(contentsOf: run, at: place)
            #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 }, "\(random)")
            #expect(run.allSatisfy { Position($0.text) == $0 })
        }
    }

    @Test func appendingDoesNotMakePositionsLong() {
        var random = SeededGenerator(named: "ends")
        var (first, last): (Position?, Position?) = (nil, nil)
        for _ in 0..<5000 {
            last = Position.run(between: last, and: nil, count: 1, using: &random)[0]
            first = Position.run(between: nil, and: first ?? last, count: 1, using: &random)[0]
        }
        #expect((first?.text.count ?? .max) < 16 && (last?.text.count ?? .max) < 16)
    }

    @Test func manyItemsFitIntoOneRun() {
        var random = SeededGenerator(named: "run")
        let count = TestSize.choose(sample: 10_000, gate: 100_000, full: 300_000)
        let run = Position.run(between: nil, and: nil, count: count, using: &random)
        #expect(zip(run, run.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(arguments: ["", "a0", "ä", "a b", "-"])
    func textThatIsNoPosition(text: String) { #expect(Position(text) == nil) }
}
