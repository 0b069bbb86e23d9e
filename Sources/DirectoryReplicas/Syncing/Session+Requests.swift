import Directory
import FileSystem
import Foundation

/// The newest request of a device, and the number of the segment that has it.
struct KnownRequest: Sendable {
    let number: Int
    let request: Request
    /// The segments that the device had shown.
    let seen: VersionVector
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
        guard let request = header.request, header.device != known.device,
            header.number > requests[header.device]?.number ?? 0,
            requests.count < Limits.devices || requests[header.device] != nil
        else { return }
        requests[header.device] = KnownRequest(
            number: header.number, request: request,
            seen: VersionVector(
                header.seen.numbers.filter { request.segments[$0.key] > 0 }))
    }

    /// Asks the others for what has been missing or damaged here for a while.
    mutating func ask(_ open: OpenReplica) throws {
        let request = neededRequest()
        guard !request.isEmpty else {
            known.asked = nil
            return
        }
        if let asked = known.asked, asked.request.covers(request),
            (0..<Self.pause).contains(environment.now() - asked.time)
        {
            return
        }
        try publish([], BaseChange(), open, isNeeded: true, asking: request)
    }

    /// What this device needs.
    ///
    /// If that is more than a request can have, what known devices wrote comes first, always in the same order.
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
        let seen = known.state.seen
        let openRequests = requests.filter { !$0.value.isAnswered }
        for (device, asked) in openRequests {
            try sendAgain(asked.request.files, answering: Dot(device, asked.number), open)
        }
        let helped = openRequests.filter { device, asked in
            !answers.covers(Dot(device, asked.number))
                && asked.request.segments.numbers.keys.contains { seen[$0] > asked.seen[$0] }
        }
        if !helped.isEmpty {
            var complete = answers
            for (device, asked) in helped where seen.covers(asked.request.segments) {
                complete[device] = asked.number
            }
            try writeState(open, answering: complete)
            answers = complete
        }
        // Only now: if the disk is full, the next sync tries it again.
        for device in openRequests.keys { requests[device]?.isAnswered = true }
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
