import Foundation

/// One line of the table: what was measured, against what, and whether that is good enough.
struct Row: Encodable {
    var name: String
    var n: Int
    /// The median time of one operation; for rows about memory and `written`, bytes instead of
    /// seconds.
    var seconds: Double
    /// What it is compared with: "floor", the same system calls bare; "foundation", what a user
    /// would write with Foundation; "self", the same operation at n = 1,000.
    var reference: String
    var referenceSeconds: Double
    /// Ours divided by the reference.
    var ratio: Double
    /// The ratio to stay below, or above for a throughput.
    var goal: String
    var met: Bool
}

extension Row {
    /// A row whose goal is a ratio of at most `limit`, and a time of at most `seconds` if given.
    init(
        _ name: String, n: Int, _ pair: Pair, reference: String, atMost limit: Double,
        seconds: Double = .infinity
    ) {
        let ratio = pair.ours / pair.reference
        let absolute = seconds.isFinite ? ", ≤ \(Row.format(seconds))" : ""
        self.init(
            name: name, n: n, seconds: pair.ours, reference: reference,
            referenceSeconds: pair.reference, ratio: ratio, goal: "≤ \(limit)\(absolute)",
            met: ratio <= limit && pair.ours <= seconds)
    }

    /// A number of seconds as a person reads it.
    static func format(_ seconds: Double) -> String {
        switch seconds {
        case ..<1e-3: String(format: "%.1f µs", seconds * 1e6)
        case ..<1: String(format: "%.2f ms", seconds * 1e3)
        default: String(format: "%.2f s", seconds)
        }
    }
}

/// The medians of ours and of the reference.
struct Pair {
    var ours: Double
    var reference: Double
}

/// Measures ours and the reference in turn, so that both see the same machine: as many pairs as
/// `rounds`, after one that does not count.
func measure(
    rounds: Int, ours: (Int) throws -> Void, reference: (Int) throws -> Void
) rethrows -> Pair {
    var times: (ours: [Double], reference: [Double]) = ([], [])
    for round in 0...rounds {
        let first = try time { try ours(round) }
        let second = try time { try reference(round) }
        guard round > 0 else { continue }
        times.ours.append(first)
        times.reference.append(second)
    }
    return Pair(ours: median(times.ours), reference: median(times.reference))
}

/// As the other `measure`, for a call that is asynchronous.
func measure(
    rounds: Int, ours: (Int) async throws -> Void, reference: (Int) throws -> Void
) async rethrows -> Pair {
    var times: (ours: [Double], reference: [Double]) = ([], [])
    let clock = ContinuousClock()
    for round in 0...rounds {
        let first = try await clock.measure { try await ours(round) } / .seconds(1)
        let second = try time { try reference(round) }
        guard round > 0 else { continue }
        times.ours.append(first)
        times.reference.append(second)
    }
    return Pair(ours: median(times.ours), reference: median(times.reference))
}

/// The seconds that `body` takes.
func time(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let elapsed = try clock.measure { try body() }
    let (seconds, attoseconds) = elapsed.components
    return Double(seconds) + Double(attoseconds) / 1e18
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}
