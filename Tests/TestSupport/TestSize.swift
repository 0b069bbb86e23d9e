import Foundation

/// How much is tried by tests that try the same thing many times: schedules, random changes, power
/// losses, damaged bytes, kills.
///
/// The environment variable `DIRECTORY_TEST_SIZE` has the name of a size.
package enum TestSize: String, CaseIterable, Sendable {
    /// A small part of all, another one in each run.
    case sample
    /// What the gate tries.
    case gate
    /// All that there is, or as much as can be tried in hours.
    case full

    private static let variable = "DIRECTORY_TEST_SIZE"

    /// The size of this run.
    package static let current: TestSize = {
        guard let name = ProcessInfo.processInfo.environment[variable] else { return .sample }
        guard let size = TestSize(rawValue: name) else {
            let names = allCases.map(\.rawValue).joined(separator: ", ")
            fatalError("\(variable) is “\(name)”, but must be one of: \(names)")
        }
        return size
    }()

    /// The value for the size of this run.
    package static func choose<Value>(sample: Value, gate: Value, full: Value) -> Value {
        switch current {
        case .sample: sample
        case .gate: gate
        case .full: full
        }
    }
}
