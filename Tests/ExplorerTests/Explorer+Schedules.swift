import StoreModel
import TestSupport

extension Explorer {
    /// `count` random schedules, with one of `variants`, one of `firsts` as the first operation and one of `seconds` as the
    /// second.
    func sample(
        _ count: Int, _ variants: [Schedule.Variant] = Schedule.Variant.allCases,
        _ firsts: [Operation] = Operation.firsts,
        _ seconds: [Operation] = Operation.allCases,
        using random: inout SeededGenerator
    ) throws -> [Schedule] {
        let calls = try allCalls()
        return (0..<count).map { _ in
            let mode = random.element(of: CommitMode.explored)
            let first = random.element(of: firsts)
            let variant = random.element(of: variants)
            let second = random.element(of: seconds.filter(first.canMeet))
            return Schedule(
                mode: mode, first: first, second: second,
                variant: variant, call: random.element(of: calls[mode, first, variant]),
                seed: random.next())
        }
    }

    /// All schedules, those with a power loss with several seeds, in random order: a run that is
    /// ended early has tried a sample of all.
    func all(using random: inout SeededGenerator) throws -> [Schedule] {
        let calls = try allCalls()
        var schedules: [Schedule] = []
        for mode in CommitMode.explored {
            for first in Operation.firsts {
                for variant in Schedule.Variant.allCases {
                    for second in Operation.allCases where first.canMeet(second) {
                        for call in calls[mode, first, variant] {
                            for _ in 0..<variant.seeds {
                                schedules.append(
                                    Schedule(
                                        mode: mode, first: first, second: second,
                                        variant: variant, call: call, seed: random.next()))
                            }
                        }
                    }
                }
            }
        }
        return schedules.shuffled(using: &random)
    }

    private func allCalls() throws -> [CommitMode: [Operation: Calls]] {
        var all: [CommitMode: [Operation: Calls]] = [:]
        for mode in CommitMode.explored {
            for first in Operation.firsts {
                all[mode, default: [:]][first] = try calls(of: first, mode)
            }
        }
        return all
    }
}

extension [CommitMode: [Operation: Explorer.Calls]] {
    fileprivate subscript(mode: CommitMode, first: Operation, variant: Schedule.Variant) -> [Int] {
        guard let calls = self[mode]?[first] else { return [0] }
        // A kill after the last call is no kill, but a power loss can come then.
        return variant.isConcurrent ? Array(0..<calls.count) : calls.changing + [calls.count]
    }
}

extension Schedule.Variant {
    /// The number of seeds for each call.
    fileprivate var seeds: Int {
        switch self {
        case .pause, .kill: 1
        case .power, .pauseThenKill: 2
        case .cache: 4
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func element<Element>(of elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &self)]
    }
}
