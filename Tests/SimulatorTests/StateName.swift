import TestSupport

/// The name of a state of a workload, from which the state can be built again.
struct StateName: Sendable, LosslessStringConvertible {
    let workload: Workload
    let profile: PowerLoss.Profile
    let moment: Int
    let number: Int
    let seed: UInt64
    let size: String
    /// The process that was killed and the next one, if there were two.
    var succession: Succession?

    var description: String {
        "\(size) \(seed) \(workload) \(profile.rawValue) \(moment) \(number)"
            + (succession.map { " \($0)" } ?? "")
    }

    /// The command that checks this state alone.
    var command: String { "SIMULATOR='\(self)' swift test --filter SimulatorTests" }
}

extension StateName {
    init?(_ description: String) {
        let words = description.split(separator: " ").map(String.init)
        guard (7...8).contains(words.count), let seed = UInt64(words[1]),
            let workload = Workload("\(words[2]) \(words[3])"),
            let profile = PowerLoss.Profile(rawValue: words[4]), let moment = Int(words[5]),
            let number = Int(words[6])
        else { return nil }
        let succession = words.count == 8 ? Succession(words[7]) : nil
        guard words.count == 7 || succession != nil else { return nil }
        self.init(
            workload: workload, profile: profile, moment: moment, number: number, seed: seed,
            size: words[0], succession: succession)
    }
}
