import Foundation

/// One line of the table: a measurement, its reference, and whether the goal is met.
struct Row: Encodable {
    let name: String
    let n: Int
    /// The median of the library: seconds for one operation; bytes if ``isBytes``.
    let seconds: Double
    let reference: Measurement.Reference
    /// The median of the reference, in the same unit.
    let referenceSeconds: Double
    /// The median of the library divided by that of the reference.
    let ratio: Double
    let goal: String
    let met: Bool

    init(_ name: String, n: Int, _ measurement: Measurement) {
        let medians = measurement.medians
        self.name = name
        self.n = n
        seconds = medians.ours
        reference = measurement.reference
        referenceSeconds = medians.reference
        ratio = medians.ratio
        goal = measurement.goal.text
        met = measurement.goal.isMet(medians)
    }

    /// Whether the row measures bytes, not seconds.
    var isBytes: Bool {
        ["memory", "written", "replica.state", "replica.memory", "filestore.memory"].contains(name)
    }
}

extension Row: CustomStringConvertible {
    var description: String {
        [
            Self.pad(name, 21), Self.pad("\(n)", 9, right: true),
            Self.pad(format(seconds), 12, right: true),
            Self.pad(format(referenceSeconds), 12, right: true),
            Self.pad(reference.rawValue, 17),
            Self.pad(String(format: "%.2f", ratio), 8, right: true), Self.pad(goal, 30),
            met ? "met" : "missed",
        ].joined(separator: "  ")
    }

    private func format(_ value: Double) -> String {
        isBytes ? String(format: "%.1f MB", value / 1e6) : Self.format(seconds: value)
    }

    /// A number of seconds as text, in the unit that is best to read.
    static func format(seconds: Double) -> String {
        switch seconds {
        case ..<1e-3: String(format: "%.1f µs", seconds * 1e6)
        case ..<1: String(format: "%.2f ms", seconds * 1e3)
        default: String(format: "%.2f s", seconds)
        }
    }

    private static func pad(_ text: String, _ width: Int, right: Bool = false) -> String {
        let fill = String(repeating: " ", count: max(0, width - text.count))
        return right ? fill + text : text + fill
    }
}
