import TestSupport

/// A protocol that lacks a sync, or has one and its neighbour the wrong way round.
///
/// A sync has no result, so a library that is wrong like this makes the same calls: what it does
/// to a disk is what the right one was recorded to do, but for this one event.
struct Mutant: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        case without, swapped
    }

    let kind: Kind
    /// The event that is left out, or that comes after the next one.
    let position: Int
    /// The same for the same step of a protocol, whichever items it is about.
    let description: String

    /// Every sync of the last change that can be left out, and every two steps that can be
    /// swapped of which one is a sync, also the last and the acknowledgement.
    static func all(of recording: Recording, naming name: (String) -> String) -> [Mutant] {
        let events = recording.events
        let steps = recording.steps.map(name)
        func isSync(_ position: Int) -> Bool {
            if case .sync = events[position] { true } else { false }
        }
        return (recording.begin..<events.count).flatMap { position -> [Mutant] in
            let next = position + 1
            var mutants: [Mutant] = []
            if isSync(position) {
                let before = position > 0 ? " after \(steps[position - 1])" : ""
                mutants.append(
                    Mutant(
                        kind: .without, position: position,
                        description: "no \(steps[position])\(before)"))
            }
            if next < events.count, isSync(position) != isSync(next),
                steps[position] != "acknowledge"
            {
                mutants.append(
                    Mutant(
                        kind: .swapped, position: position,
                        description: "\(steps[next]), then \(steps[position])"))
            }
            return mutants
        }
    }
}
