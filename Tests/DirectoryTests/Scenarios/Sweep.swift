import Foundation
import TestSupport

/// Chooses the calls, bits and faults that a test tries; with `SWEEP=full` it chooses all.
struct Sweep: CustomStringConvertible {
    private static let isFull = ProcessInfo.processInfo.environment["SWEEP"] == "full"
    private var random = SeededGenerator()

    /// The environment variable that repeats the choices.
    var description: String { random.description }

    /// The numbers from 0 to `count`, or every `step`th number from a random one on.
    mutating func numbers(below count: Int, step: Int) -> StrideTo<Int> {
        Self.isFull
            ? stride(from: 0, to: count, by: 1)
            : stride(from: .random(in: 0..<step, using: &random), to: count, by: step)
    }

    /// All of `cases`, or `count` random ones.
    mutating func some<Case>(_ cases: [Case], _ count: Int) -> [Case] {
        Self.isFull ? cases : Array(cases.shuffled(using: &random).prefix(count))
    }
}
