/// The rules by which states become one.
package struct MergeRules: Sendable {
    /// Whether somebody who had seen a vector replaces a value with a dot.
    package var supersedes: @Sendable (VersionVector, Dot) -> Bool = { $0.covers($1) }
    /// Whether somebody who had seen a vector removes a value with a dot together with its item.
    package var removes: @Sendable (VersionVector, Dot) -> Bool = { $0.covers($1) }
    /// Whether a state that has seen a vector, and lacks a value with a dot, has replaced it.
    package var forgot: @Sendable (VersionVector, Dot) -> Bool = { $0.covers($1) }
    /// The order of values that did not see each other: the greatest one is shown.
    package var precedes: @Sendable (Stamp, Stamp) -> Bool = { left, right in
        (left.time, left.dot.device, left.dot.number)
            < (right.time, right.dot.device, right.dot.number)
    }
    /// Whether a segment can be joined to a state that has seen a vector.
    package var isReady: @Sendable (SegmentHeader, VersionVector) -> Bool = { header, seen in
        seen[header.device] == header.number - 1 && seen.covers(header.seen)
    }
    /// Whether an item is kept because something in it lives.
    package var keepsContainers = { @Sendable (hasLivingItem: Bool) in hasLivingItem }
    /// Whether every known device has seen a removal, so that nobody needs to know of it.
    package var isAcknowledged: @Sendable ([VersionVector], Dot) -> Bool = { devices, dot in
        devices.allSatisfy { $0.covers(dot) }
    }
    /// Whether a file whose bytes do not fit its name is left alone.
    package var isWhole: @Sendable (_ name: String, _ hash: String) -> Bool = {
        $0.hasPrefix($1.prefix(SegmentName.digitCount))
    }

    package init() {}
}
