package import FileSystem
import JSONCodec

/// The changes that one device wrote at one moment: a header and entries.
package struct Segment: Hashable, Sendable {
    package var header: SegmentHeader
    package var entries: [SegmentEntry]

    package init(header: SegmentHeader, entries: [SegmentEntry]) {
        (self.header, self.entries) = (header, entries)
    }
}

/// The device that wrote a segment, and the segments that it had seen.
package struct SegmentHeader: Hashable, Sendable {
    package var device: DeviceID
    /// 1 for the first segment of the device.
    package var number: Int
    /// In milliseconds since 1970, by the clock of the device.
    package var time: Int
    /// The segments that the collections of the device showed.
    package var seen: VersionVector
    /// The name of the device, for people.
    package var name: String?
    /// Devices that are not waited for any longer.
    package var removedDevices: [DeviceID] = []
    /// What the device waits for; nil if it waits for nothing, or has said so before.
    package var request: Request?

    package init(device: DeviceID, number: Int, time: Int, seen: VersionVector) {
        (self.device, self.number, self.time, self.seen) = (device, number, time, seen)
    }
}

extension SegmentHeader {
    /// The segments that the device had seen, and this one.
    var seenWithItself: VersionVector {
        var seen = seen
        seen[device] = number
        return seen
    }
}

/// What a device needs and cannot find, or finds with wrong bytes.
package struct Request: Hashable, Sendable {
    /// For each device, the number of the newest segment that is missing.
    package var segments: VersionVector
    /// The files of items that are there with wrong bytes.
    package var files: Set<SHA256.Digest>

    package init(segments: VersionVector = .init(), files: Set<SHA256.Digest> = []) {
        (self.segments, self.files) = (segments, files)
    }

    var isEmpty: Bool { segments == .init() && files.isEmpty }

    /// Whether this one asks for all that `other` asks for.
    func covers(_ other: Self) -> Bool {
        segments.covers(other.segments) && files.isSuperset(of: other.files)
    }
}

/// A request, the number of the segment that has it, and its time in milliseconds since 1970.
package struct AskedRequest: Hashable, Sendable {
    package var request: Request
    package var number: Int
    package var time: Int
}

/// The changes of one item in a segment.
///
/// A part that is nil stays as it is.
package struct SegmentEntry: Hashable, Sendable {
    package var kind: String
    package var key: ItemKey
    /// The container that the item gets; the inner value is nil for the root.
    package var container: ItemKey??
    package var position: Position?
    package var file: FileValue?
    /// The members that get new values: a JSON object in one line.
    package var set: ArraySlice<UInt8>?
    /// The names of members that are removed.
    package var unset: [String] = []
    /// Whether the item, or a container with it, is removed.
    package var removed = Removal.nothing
    /// The segments that the device showed of this item, if these are fewer than those of the header.
    package var seen: VersionVector?

    package init(_ item: ItemReference) { (kind, key) = (item.kind, item.key) }

    /// Whether nothing is written.
    var isEmpty: Bool {
        container == nil && position == nil && file == nil && set == nil && unset.isEmpty
            && removed == .nothing
    }
}

extension SegmentEntry {
    /// Entries that say the same, each so short that others read it, if no member is too long.
    var parts: [SegmentEntry] {
        // A byte of a name takes up to six.
        let size = (set?.count ?? 0) + 6 * unset.reduce(0) { $0 + $1.utf8.count }
        if size <= Limits.value { return [self] }
        var rest = SegmentEntry(ItemReference(kind, key))
        rest.seen = seen
        var first = self
        (first.set, first.unset) = (nil, [])
        var parts = first.isEmpty ? [] : [first]
        // The line was made of members, or checked when it was read.
        for member in set.flatMap({ try? JSONMembers.all(of: $0) }) ?? [] {
            var part = rest
            var writer = LineWriter()
            writer.object { $0.member(member.name, json: member.value) }
            part.set = writer.bytes[...]
            parts.append(part)
        }
        for name in unset {
            var part = rest
            part.unset = [name]
            parts.append(part)
        }
        return parts
    }
}
