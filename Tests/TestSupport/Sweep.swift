/// Chooses which calls, bits, faults and cases a test tries: a few in a sample, more in the gate, in the full
/// size all of them.
///
/// A sample can be so small that it meets none of the cases that a test counts: what must have happened is for the gate.
package struct Sweep: CustomStringConvertible {
    private var random: SeededGenerator

    /// The choices of one place in the tests, which are others for each `scenario`.
    package init(for scenario: Any = "", file: String = #fileID, line: Int = #line) {
        random = SeededGenerator(named: "\(file) \(line) \(scenario)")
    }

    /// The environment variable that repeats the choices.
    package var description: String { random.description }

    /// The numbers below `count`; in the gate every `step`th one, from a random one on, in the full size all.
    ///
    /// In a sample the first one is below `8 * step`, each other one is on average `24 * step` after the one before, and
    /// the last one is not less than `count - 8 * step`, so that a sweep that needs the end of its calls meets it.
    package mutating func numbers(below count: Int, step: Int = 3) -> [Int] {
        guard count > 0 else { return [] }
        let isSample = TestSize.current == .sample
        let step = TestSize.choose(sample: 8 * step, gate: step, full: 1)
        // At least one number.
        let first = Int.random(in: 0..<min(step, count), using: &random)
        guard isSample else { return Array(stride(from: first, to: count, by: step)) }
        var numbers = [first]
        while let last = numbers.last {
            let next = last + Int.random(in: step...5 * step, using: &random)
            guard next < count else { break }
            numbers.append(next)
        }
        if let last = numbers.last, last < count - step {
            numbers.append(Int.random(in: count - step..<count, using: &random))
        }
        return numbers
    }

    /// `count` random ones of `cases`; in a sample an eighth of that, and in the full size all.
    package mutating func some<Case>(_ cases: [Case], _ count: Int) -> ArraySlice<Case> {
        let count = TestSize.choose(sample: (count + 7) / 8, gate: count, full: cases.count)
        return cases.shuffled(using: &random).prefix(count)
    }

    /// In a sample `sample` random ones of `cases`; in the gate `gate` ones, or all if `gate` is nil; in the full size all.
    package static func cases<Case>(
        _ cases: [Case], sample: Int, gate: Int? = nil, file: String = #fileID, line: Int = #line
    ) -> [Case] {
        guard let count = TestSize.choose(sample: sample, gate: gate, full: nil) else {
            return cases
        }
        var random = SeededGenerator(named: "\(file) \(line)")
        return Array(cases.shuffled(using: &random).prefix(count))
    }
}
