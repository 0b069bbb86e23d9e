import TestSupport

/// The name of a state of a workload, from which the state can be built again.
struct StateName: Sendable, LosslessStringConvertible {
    let workload: Workload
    let profile: PowerLoss.Profile
    let moment: Int
    let number: Int
    let seed: UInt64
    let size: String

    var description: String {
        "\(size) \(seed) \(workload) \(profile.rawValue) \(moment) \(number)"
    }

    /// The command that checks this state alone.
    var command: String { "SIMULATOR='\(self)' swift test --filter SimulatorTests" }
}

extension StateName {
    init?(_ description: String) {
        let words = description.split(separator: " ").map(String.init)
        guard words.count == 7, let seed = UInt64(words[1]),
            let workload = Workload("\(words[2]) \(words[3])"),
            let profile = PowerLoss.Profile(rawValue: words[4]), let moment = Int(words[5]),
            let number = Int(words[6])
        else { return nil }
        self.init(
            workload: workload, profile: profile, moment: moment, number: number, seed: seed,
            size: words[0])
    }
}
