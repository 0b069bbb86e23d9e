import Foundation
import Synchronization
import TestSupport
import Testing

/// Disturbs each operation on a tree before each of its calls, while another process works on the
/// same tree; `EXPLORER` is a number of schedules, or the name of one schedule.
@Suite(.serialized) struct ExplorerTests {
    static let argument = ProcessInfo.processInfo.environment["EXPLORER"]
    static let schedule = argument.flatMap(Schedule.init)

    /// The number of schedules; nil for all.
    static let count =
        argument.flatMap { Int($0) } ?? TestSize.choose(sample: 5, gate: 100, full: nil)

    @Test(.enabled(if: schedule == nil)) func noScheduleBreaksAPromise() throws {
        let explorer = try Explorer()
        var random = SeededGenerator()
        let schedules =
            if let count = Self.count {
                try explorer.sample(count, using: &random)
            } else {
                try explorer.all(using: &random)
            }
        play(schedules, by: explorer, random)
    }

    /// Between the moment when a call has found its folder and the moment when it has the lock there, another process
    /// looks into the container and removes it.
    @Test(.enabled(if: argument == nil)) func noChangeIsLostInAContainerThatOthersRemove() throws {
        try playSample(
            TestSize.choose(sample: 2, gate: 25, full: 20_000), [.pause, .pauseThenKill],
            [.removeKnownProject, .removeKnownPart])
    }

    /// An editor replaces an index, also one that has a journal; folders are copied, or are elsewhere for a while.
    @Test(.enabled(if: argument == nil)) func nothingIsLostByWhatAPersonDoes() throws {
        try playSample(
            TestSize.choose(sample: 4, gate: 50, full: 40_000), Schedule.Variant.allCases,
            Operation.byHand)
    }

    private func playSample(
        _ count: Int, _ variants: [Schedule.Variant], _ seconds: [Operation]
    ) throws {
        let explorer = try Explorer()
        var random = SeededGenerator()
        let schedules = try explorer.sample(
            count, variants, Operation.firsts, seconds, using: &random)
        play(schedules, by: explorer, random)
    }

    /// Plays the schedules, and records those that break a promise.
    private func play(_ schedules: [Schedule], by explorer: Explorer, _ random: SeededGenerator) {
        let start = ContinuousClock.now
        var found: [Failure] = []
        for first in stride(from: 0, to: schedules.count, by: Self.partSize) {
            let end = min(first + Self.partSize, schedules.count)
            let failures = explorer.failures(of: schedules[first..<end])
            found += failures
            print(
                "explorer: \(random), \(end) of \(schedules.count) schedules,",
                "\(found.count) violations,",
                "\((ContinuousClock.now - start).components.seconds) s")
            for failure in failures.prefix(3) { print(failure.schedule.command) }
        }
        #expect(found.count == 0, "\(found.count) of \(schedules.count) schedules fail")
        let kinds = Failure.kinds(of: found)
        for (kind, failures) in kinds.prefix(Self.shown) {
            let commands = failures.prefix(3).map(\.schedule.command).joined(separator: "\n")
            Issue.record("\(failures.count) times: \(kind)\n\(commands)")
        }
    }

    @Test(.enabled(if: schedule != nil)) func namedScheduleBreaksNoPromise() throws {
        let schedule = try #require(Self.schedule)
        do {
            try Explorer().play(schedule)
        } catch {
            Issue.record("\(error)")
        }
    }

    /// The number of kinds of failures that are listed.
    static let shown = 60
    /// The number of schedules after which a run says how far it is.
    static let partSize = 20_000
}

extension Explorer {
    /// The schedules of `schedules` that break a promise.
    fileprivate func failures(of schedules: ArraySlice<Schedule>) -> [Failure] {
        let failures = Mutex<[Failure]>([])
        onAllCores(schedules) { schedule in
            do {
                try play(schedule)
            } catch {
                let failure = Failure(schedule: schedule, message: "\(error)")
                failures.withLock { $0.append(failure) }
            }
        }
        return failures.withLock { $0 }
    }
}

/// A schedule that breaks a promise.
struct Failure: Sendable {
    let schedule: Schedule
    let message: String

    /// The failures by their messages without random parts; the most frequent first.
    static func kinds(of failures: [Failure]) -> [(kind: String, failures: [Failure])] {
        let kinds = Dictionary(grouping: failures) { failure in
            let random = #/[0-9A-Fa-f-]{32,}/#
            return "\(failure.schedule.variant): \(failure.message.replacing(random, with: "*"))"
        }
        return kinds.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .map { (kind: $0.key, failures: $0.value) }
    }
}
