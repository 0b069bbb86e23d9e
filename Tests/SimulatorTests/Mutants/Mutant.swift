import TestSupport

/// A protocol without one of its syncs, or with a sync and its neighbour in the wrong order.
///
/// A sync returns nothing, so a library with such a defect makes the same other calls: what it does
/// to a disk is what was recorded, except for this one event.
struct Mutant: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Sendable {
        case without, swapped
    }

    let kind: Kind
    /// The event that is left out, or that comes after the next one.
    let position: Int
    /// The same for the same step of a protocol, whatever items it works on.
    let description: String

    /// A mutant for each sync of the last operation that can be left out, and for each pair of
    /// neighbours that can be swapped: a sync, and a write, a name or the acknowledgement.
    static func all(of recording: Recording, naming name: (String) -> String) -> [Mutant] {
        let events = recording.events
        let steps = recording.steps.map(name)
        let pointless = recording.pointlessSyncs
        func isSync(_ position: Int) -> Bool {
            if case .sync = events[position] { true } else { false }
        }
        return (recording.begin..<events.count).flatMap { position -> [Mutant] in
            let next = position + 1
            var mutants: [Mutant] = []
            if isSync(position), !pointless.contains(position) {
                let before = position > 0 ? " after \(steps[position - 1])" : ""
                mutants.append(
                    Mutant(
                        kind: .without, position: position,
                        description: "no \(steps[position])\(before)"))
            }
            if next < events.count, isSync(position) != isSync(next),
                !pointless.contains(position), !pointless.contains(next),
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

extension Recording {
    /// The positions of syncs of what is durable already: without them, a disk would be the same.
    fileprivate var pointlessSyncs: Set<Int> {
        var changed: Set<UInt64> = []
        return Set(
            events.indices.filter { position in
                switch events[position] {
                case .unit(.entries(let entries)): changed.formUnion(entries.map(\.folder))
                case .unit(.write(let inode, _, _)), .unit(.truncation(let inode, _)):
                    changed.insert(inode)
                case .sync(let inode): return changed.remove(inode) == nil
                case .acknowledged, .failedSync: break
                }
                return false
            })
    }
}
