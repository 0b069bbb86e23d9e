import FileSystem

/// A file that cannot be used, as it was when that was found.
struct UselessFile: Sendable {
    let status: FileStatus
    let reason: String
    /// Whether it may have been usable where it comes from.
    let isDamaged: Bool
}

/// What one call joins to the state.
private struct Joined {
    var segments: [Segment] = []
    /// Whether states were joined that are not saved yet.
    var hasStates = false
    /// Files that waited, and can be read now.
    var woken: [FoundFile] = []
    /// All devices that the state names.
    var devices: Set<DeviceID>
}

extension Session {
    /// Joins the files that have arrived, and are ready, to the state.
    mutating func join(_ open: OpenReplica) throws {
        let (files, skipped) = try open.shared.list(knownDevices)
        notes.skipped = open.shared.setAside + skipped
        waiting.keep(files)
        let oldUseless = useless
        // Those in the own folder were looked at when it was opened.
        useless = useless.filter { $0.key.device == known.device }
        var joined = Joined(devices: known.state.namedDevices)
        // They can have waited for a segment of this device.
        joined.woken = waiting.wakeAll(known.state.seen)
        while let woken = joined.woken.popLast() { try read(woken, open, &joined) }
        for file in files where !isKnown(file) && !waiting.contains(file) {
            try cancellation.check()
            if let old = oldUseless[file], (try? open.shared.status(of: file)) == old.status {
                useless[file] = old
                continue
            }
            try read(file, open, &joined)
            while let woken = joined.woken.popLast() { try read(woken, open, &joined) }
        }
        notes.skipped += useless.map { .init(path: $0.key.path, reason: $0.value.reason) }
        uselessAssets.unreachable = []
        for (name, status) in uselessAssets.wrong {
            if (try? open.shared.statusOfAsset(name)) == status {
                notes.skipped.append(
                    .init(path: SharedFolder.path(ofAsset: name), reason: "\(WrongBytes())"))
            } else {
                uselessAssets.wrong[name] = nil
            }
        }
        noteMissing()
        if joined.hasStates {
            known.joinedStates.formIntersection(files.map(\.name.hash))
            if savesJoined { try save(open.files) }
        } else if !joined.segments.isEmpty, savesJoined, let version {
            self.version = try open.files.append(.joined(joined.segments), to: version)
        }
    }

    private var savesJoined: Bool { environment.steps.importing.first == .save }

    /// The devices whose files are looked at first.
    var knownDevices: Set<DeviceID> { Set(known.state.seen.numbers.keys).union([known.device]) }

    /// Whether nothing new can be in a file.
    ///
    /// The name says which segments it has. If the name is wrong, nobody can use the file.
    func isKnown(_ file: FoundFile) -> Bool {
        if file.device == known.device { return true }
        if known.joinedStates.contains(file.name.hash) { return true }
        guard file.name.content == .changes, let device = file.device else { return false }
        return known.state.seen[device] >= file.name.number
    }

    private mutating func read(
        _ file: FoundFile, _ open: OpenReplica, _ joined: inout Joined
    ) throws {
        var first: [UInt8]?
        var found: FileStatus?
        do {
            found = try open.shared.status(of: file)
            guard let status = found,
                let bytes = try open.shared.read(file, environment.rules)
            else { return }
            switch file.name.content {
            case .changes: try join(Segment.read(bytes[...]), of: file, status, &joined)
            case .state:
                let state = try StateFile(bytes[...], environment.rules)
                let isFirst = known.state.seen == .init()
                try join(state, &joined)
                known.joinedStates.insert(file.name.hash)
                if isFirst { first = bytes } else { joined.hasStates = true }
            }
        } catch let error as FileSystemError {
            // It may be readable the next time.
            notes.skipped.append(.init(path: file.path, reason: error.reason))
        } catch {
            useless[file] = found.map {
                UselessFile(status: $0, reason: "\(error)", isDamaged: error is WrongBytes)
            }
        }
        // It needs not be written out of memory.
        if let first, savesJoined { try save(open.files, as: first) }
    }

    private mutating func join(_ file: StateFile, _ joined: inout Joined) throws {
        let devices = joined.devices.union(file.state.namedDevices)
        try checkCount(of: devices)
        joined.devices = devices
        // Those of devices that nobody knows could be very many.
        for (device, number) in file.answers.numbers where devices.contains(device) {
            answers[device] = max(answers[device], number)
        }
        if let asked = file.asked {
            var header = SegmentHeader(
                device: file.device, number: asked.number, time: asked.time, seen: file.state.seen)
            header.request = asked.request
            note(header)
        }
        let changed = known.state.join(file.state)
        // A union with nothing would hash each item of a large state again.
        unsettled = unsettled.isEmpty ? changed : unsettled.union(changed)
        joined.woken += waiting.wakeAll(known.state.seen)
    }

    /// Applies the segments of a file that are ready; the file waits if one is not.
    private mutating func join(
        _ segments: [Segment], of file: FoundFile, _ status: FileStatus, _ joined: inout Joined
    ) throws {
        for segment in segments { note(segment.header) }
        for segment in segments where !known.state.contains(segment.header) {
            let header = segment.header
            let devices = joined.devices.union(header.namedDevices)
            try checkCount(of: devices)
            guard environment.rules.isReady(header, known.state.seen) else {
                let needs = header.needs(beside: known.state.seen)
                if !waiting.add(file, arrived: status.changed, needs: needs) {
                    notes.skipped.append(.init(path: file.path, reason: "too many files wait"))
                }
                return
            }
            joined.devices = devices
            unsettled.formUnion(known.state.receive(segment))
            joined.segments.append(segment)
            joined.woken += waiting.wake(
                after: Dot(header.device, header.number), known.state.seen)
        }
    }

    /// Throws if the local state could not be read any longer with these devices.
    private func checkCount(of devices: Set<DeviceID>) throws {
        guard devices.count <= Limits.devices else {
            throw FormatError("it has too many devices")
        }
    }

    /// Notes whose segments are missing.
    private mutating func noteMissing() {
        notes.missing = [:]
        forEachLack { dot, _ in notes.missing[dot.device] = known.state.seen[dot.device] + 1 }
    }

    /// Calls `body` with each segment of another device that this one needs, or finds damaged, and the time when that
    /// began here.
    func forEachLack(_ body: (Dot, FileTime) -> Void) {
        func call(_ dot: Dot, _ time: FileTime) {
            if dot.device != known.device, !known.state.seen.covers(dot) { body(dot, time) }
        }
        waiting.forEachNeed(call)
        for (file, found) in useless where found.isDamaged {
            if let device = file.device {
                call(Dot(device, file.name.number), found.status.changed)
            }
        }
    }
}

extension SegmentHeader {
    /// The devices that a state names after this segment.
    fileprivate var namedDevices: Set<DeviceID> {
        Set(seen.numbers.keys).union(removedDevices).union([device])
    }

    /// The segments that have to be applied before this one, and that `known` does not have.
    fileprivate func needs(beside known: VersionVector) -> [Dot] {
        var needs = seen
        needs[device] = number - 1
        return needs.numbers.map { Dot($0.key, $0.value) }.filter { !known.covers($0) }
    }
}
