import Foundation

/// The result of one benchmark: the medians of the library and of its reference, and the goal.
struct Measurement {
    /// The work that the library is measured against.
    enum Reference: String, Encodable {
        /// The system calls that a program without a library needs for the same safe result.
        case bareSystemCalls = "bare system calls"
        /// The code that a user would write with Foundation.
        case foundation
        /// The library itself, at a smaller count, in one task, in the process that commits, or the first time.
        case library = "self"
        /// The code of the item's own type.
        case ownCode = "item's own code"
    }

    var medians: Pair
    let reference: Reference
    let goal: Goal
}

/// One value of the library and one of the reference: seconds, or bytes.
struct Pair {
    var ours: Double
    var reference: Double

    var ratio: Double { ours / reference }
}

extension Pair {
    /// The median of the values of the library, and that of the values of the reference.
    init(mediansOf pairs: some Collection<Pair>) {
        self.init(ours: median(pairs.map(\.ours)), reference: median(pairs.map(\.reference)))
    }
}

/// The condition under which a measurement is good enough.
struct Goal {
    let text: String
    let isMet: (Pair) -> Bool
}

extension Goal {
    /// At most `seconds` more than the reference.
    static func more(seconds: Double) -> Goal {
        Goal(text: "≤ \(Row.format(seconds: seconds)) more") { $0.ours - $0.reference <= seconds }
    }

    /// At most `seconds`, whatever the reference takes.
    static func seconds(atMost seconds: Double) -> Goal {
        Goal(text: "≤ \(Row.format(seconds: seconds))") { $0.ours <= seconds }
    }

    /// At most `limit` times the reference, and at most `seconds` if given.
    static func ratio(atMost limit: Double, seconds: Double = .infinity) -> Goal {
        let absolute = seconds.isFinite ? ", ≤ \(Row.format(seconds: seconds))" : ""
        return Goal(text: "≤ \(limit)\(absolute)") { $0.ratio <= limit && $0.ours <= seconds }
    }
}

/// Times `ours` and `reference` in turn, so that both see the same state of the machine.
///
/// - Parameters:
///   - rounds: The number of pairs; one more pair comes first and does not count.
///   - ours: The work of the library, given the number of the round.
///   - reference: The work of the reference, given the number of the round.
/// - Returns: The medians, in seconds.
func measure(
    rounds: Int, ours: (Int) throws -> Void, reference: (Int) throws -> Void
) rethrows -> Pair {
    let pairs = try (0...rounds).map { round in
        Pair(ours: try time { try ours(round) }, reference: try time { try reference(round) })
    }
    return Pair(mediansOf: pairs.dropFirst())
}

/// Times asynchronous work of the library and `reference` in turn.
func measure(
    rounds: Int, ours: (Int) async throws -> Void, reference: (Int) throws -> Void
) async rethrows -> Pair {
    var pairs: [Pair] = []
    for round in 0...rounds {
        let seconds = try await time { try await ours(round) }
        pairs.append(Pair(ours: seconds, reference: try time { try reference(round) }))
    }
    return Pair(mediansOf: pairs.dropFirst())
}

/// The seconds that `body` takes.
func time(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure { try body() } / .seconds(1)
}

/// The seconds that the asynchronous `body` takes.
func time(_ body: () async throws -> Void) async rethrows -> Double {
    try await ContinuousClock().measure { try await body() } / .seconds(1)
}

private func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}
