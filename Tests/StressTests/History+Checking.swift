import Foundation

extension History {
    /// Where an item may have been, and when.
    private struct Stay {
        let container: String
        /// From the beginning of the change that put the item there.
        let begin: UInt64
        /// When that change was over; a transfer of a process that was killed can be completed later.
        let placed: UInt64
        /// When a later transfer had surely taken the item away.
        var end = UInt64.max

        var span: Span { Span(begin: begin, end: end) }
    }

    /// Compares what was found with what was acknowledged.
    ///
    /// - Returns: How many items had to be there, and what is wrong.
    func check(_ found: Found) -> (count: Int, faults: [String]) {
        let stays = stays
        var removals: [String: [Span]] = [:]
        var added: [String: Outcome] = [:]
        var updates: [String: ClosedRange<Int>] = [:]
        var faults: [String] = []
        for event in events {
            for item in event.items {
                switch (event.words[0], event.outcome) {
                case ("add", let outcome): added[item] = outcome
                case ("remove", .done):
                    removals[item, default: []].append(event.span)
                    if found.items[item] != nil {
                        faults.append("\(item) was removed and is there")
                    }
                case ("remove", .killed):
                    // What is still there was not removed.
                    if found.items[item] == nil { removals[item, default: []].append(event.span) }
                case ("update", .done):
                    let range = updates[item] ?? 0...0
                    updates[item] = range.lowerBound + 1...range.upperBound + 1
                case ("update", .killed):
                    let range = updates[item] ?? 0...0
                    updates[item] = range.lowerBound...range.upperBound + 1
                default: break
                }
            }
        }
        /// When a container was removed, or one that it may have been in.
        func threats(_ container: String) -> [Span] {
            (removals[container] ?? [])
                + (stays[container] ?? []).flatMap { stay in
                    threats(stay.container).filter { $0.overlaps(stay.span) }
                }
        }
        var certain = 0
        for (item, outcome) in added where outcome == .done && threats(item).isEmpty {
            certain += 1
            if found.items[item] == nil { faults.append("\(item) was added and is lost") }
        }
        for (item, place) in found.items {
            if added[item] == nil || added[item] == .failed {
                faults.append("\(item) was never added and is there")
            }
            let last = (stays[item] ?? []).filter { $0.end == .max }.map(\.container)
            if !last.contains(place.container) {
                faults.append("\(item) is in \(place.container) and not in \(last)")
            }
            let range = updates[item] ?? 0...0
            if item.hasPrefix("n"), !range.contains(Int(place.title) ?? -1) {
                faults.append("\(item) has the number \(place.title) and not one of \(range)")
            }
        }
        return (certain, faults.sorted())
    }

    private var stays: [String: [Stay]] {
        var stays: [String: [Stay]] = [:]
        var moves: [(item: String, span: Span)] = []
        for event in events where event.outcome != .failed {
            let isMove = event.words[0] == "move"
            guard isMove || event.words[0] == "add" else { continue }
            let isOver = !isMove || event.outcome == .done
            for item in event.items {
                stays[item, default: []].append(
                    Stay(
                        container: event.words[isMove ? 2 : 1], begin: event.span.begin,
                        placed: isOver ? event.span.end : .max))
                if isMove, isOver { moves.append((item, event.span)) }
            }
        }
        for (item, span) in moves {
            stays[item] = stays[item]?.map { stay in
                var stay = stay
                if stay.placed <= span.begin { stay.end = min(stay.end, span.end) }
                return stay
            }
        }
        return stays
    }
}
