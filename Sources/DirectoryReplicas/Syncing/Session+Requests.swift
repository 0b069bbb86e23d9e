import Directory
import FileSystem
import Foundation

/// What a device asks for, with its newest segment.
struct KnownRequest: Sendable {
    let number: Int
    let request: Request
    /// Whether this device has done what it can.
    var isAnswered = false
}

extension Session {
    /// In seconds: how long something is missing before others are asked, because engines bring files in any order.
    private static let patience = 60
    /// In milliseconds: when others are asked again for the same.
    private static let pause = 86_400_000

    /// Notes what the device asks for that wrote a segment with this header, also if the segment waits.
    mutating func note(_ header: SegmentHeader) {
        guard header.device != known.device,
            header.number > requests[header.device]?.number ?? 0,
            requests.count < Limits.devices || requests[header.device] != nil
        else { return }
        requests[header.device] = header.request.map {
            KnownRequest(number: header.number, request: $0)
        }
    }

    /// Asks the others for what has been missing or damaged here for a while.
    mutating func ask(_ open: OpenReplica) throws {
        let request = neededRequest()
        if request.isEmpty { return }
        if let asked = known.asked, asked.request.covers(request),
            (0..<Self.pause).contains(environment.now() - asked.time)
        {
            return
        }
        try publish([], BaseChange(), open, isNeeded: true, asking: request)
    }

    /// What this device needs, the same as long as nothing else is missing: of very much, that of known devices first.
    private func neededRequest() -> Request {
        let limit = environment.now() / 1000 - Self.patience
        var missing = VersionVector()
        forEachLack { dot, time in
            guard time.seconds <= limit else { return }
            missing[dot.device] = max(missing[dot.device], dot.number)
        }
        let devices = missing.numbers.sorted { left, right in
            let (isLeftKnown, isRightKnown) = (
                known.state.seen[left.key] > 0, known.state.seen[right.key] > 0
            )
            return isLeftKnown == isRightKnown ? left.key < right.key : isLeftKnown
        }.prefix(Limits.requested)
        let pending = Set(notes.pending.map(\.file.hash))
        let wrong = uselessAssets.wrong.filter { $0.value.changed.seconds <= limit }
            .compactMap { SharedFolder.hash(inNameOfAsset: $0.key) }
        let files = Set(wrong).intersection(pending).sorted { "\($0)" < "\($1)" }
        return Request(
            segments: VersionVector(Dictionary(uniqueKeysWithValues: devices.map { ($0, $1) })),
            files: Set(files.prefix(Limits.requested)))
    }

    /// Gives the others what they ask for, as far as this device has it, under new names: some engines never bring a file
    /// again whose name is there.
    mutating func answer(_ open: OpenReplica) throws {
        var (helps, complete) = (false, VersionVector())
        for (device, asked) in requests where !asked.isAnswered {
            requests[device]?.isAnswered = true
            let dot = Dot(device, asked.number)
            if asked.request.segments != .init(), !answers.covers(dot) {
                let seen = known.state.seen
                if asked.request.segments.numbers.contains(where: { seen[$0.key] >= $0.value }) {
                    helps = true
                }
                if seen.covers(asked.request.segments) { complete[device] = asked.number }
            }
            try sendAgain(asked.request.files, answering: dot, open)
        }
        guard helps else { return }
        answers.formUnion(complete)
        try writeState(open)
    }

    /// Sends files of items that are shown here under names of their own.
    private mutating func sendAgain(
        _ files: Set<SHA256.Digest>, answering dot: Dot, _ open: OpenReplica
    ) throws {
        if files.isEmpty { return }
        for (kind, items) in known.base.items where kinds[kind]?.ownsFiles == true {
            for (key, shown) in items {
                guard let file = shown.file, files.contains(file.hash), let name = shown.fileName
                else { continue }
                do {
                    _ = try sendAsset(
                        name, .init(kind, in: shown.container), open, answering: dot)
                } catch let unread as UnreadAsset {
                    notes.unsentAssets[.init(kind, key)] = unread
                }
            }
        }
    }
}
