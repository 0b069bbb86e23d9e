import FileSystem

/// All that a device keeps for itself, beside the index of the root: `.projects.replica`.
struct LocalState: Sendable {
    var device: DeviceID
    /// The ids of the network with which the collection is synced; none before the first sync.
    var networks: Set<NetworkID> = []
    /// The number of the newest segment of this device.
    var number = 0
    var state: MergeState
    var base = Base()
    /// The segments that the collections show: the base is the join of these.
    var shown = VersionVector()
    /// The files of this device that are to be in the shared folder.
    var files: Set<SegmentName> = []
    /// Files that are not known to be in the shared folder yet.
    var outgoing: [OutgoingFile] = []
    /// The beginnings of the hashes of the states that were joined.
    var joinedStates: Set<String> = []
    /// In bytes: the segments that were published since the last file with a state.
    var sizeOfChanges = 0
    /// What this device asked others for and still needs; nil if it needs nothing.
    var asked: AskedRequest?

    init(device: DeviceID, _ rules: MergeRules) {
        self.device = device
        state = MergeState(rules)
    }
}

/// A file of this device on its way to the shared folder.
struct OutgoingFile: Sendable {
    /// The device whose folder gets the file.
    var device: DeviceID
    var name: SegmentName
    var bytes: [UInt8]
}

/// One step of the local state, as the file keeps it.
enum LocalRecord {
    /// A state, which is everything in it that other devices may know.
    case state(bytes: ArraySlice<UInt8>)
    /// Everything else in the local state.
    case rest(LocalRest)
    /// Segments of this device, and the change of the base that came with them.
    case published([Segment], BaseChange)
    /// Segments of other devices.
    case joined([Segment])
    /// The change of the base by an import.
    case imported(BaseChange)
    /// Which files of this device are to be in the shared folder; none are on their way any longer.
    case files(Set<SegmentName>)
}

/// The part of the local state that is not for other devices.
struct LocalRest {
    var device: DeviceID
    var networks: Set<NetworkID>
    var asked: AskedRequest?
    var number: Int
    var files: Set<SegmentName>
    var outgoing: [OutgoingFile]
    var joinedStates: Set<String>
    var sizeOfChanges: Int
    /// The differences of the base from the state.
    var base: BaseChange
}

extension LocalState {
    /// Applies a record, as it was applied when it was written.
    mutating func apply(_ record: LocalRecord) throws {
        switch record {
        case .state(let bytes): state = try StateFile(bytes, state.rules).state
        case .rest(let rest):
            (device, networks, number) = (rest.device, rest.networks, rest.number)
            asked = rest.asked
            (files, outgoing) = (rest.files, rest.outgoing)
            (joinedStates, sizeOfChanges) = (rest.joinedStates, rest.sizeOfChanges)
            base = Base(rest.base, of: state)
            if let seen = rest.base.seen { shown = seen }
        case .published(let segments, let change):
            for segment in segments {
                // If a segment removes its own device, the state notes that, and keeps everything else.
                state.receive(segment)
                number = segment.header.number
                if let request = segment.header.request {
                    asked = AskedRequest(
                        request: request, number: number, time: segment.header.time)
                }
                // Each has a file of its own, because others read no file that is too large.
                let bytes = segment.bytes
                let name = SegmentName(number: number, content: .changes, of: bytes)
                files.insert(name)
                outgoing.append(OutgoingFile(device: device, name: name, bytes: bytes))
                sizeOfChanges += bytes.count
            }
            shown[device] = number
            apply(change)
        case .joined(let segments): for segment in segments { state.receive(segment) }
        case .imported(let change): apply(change)
        case .files(let names): (files, outgoing) = (names, [])
        }
    }

    private mutating func apply(_ change: BaseChange) {
        base.apply(change, knowing: state)
        if let seen = change.seen { shown = seen }
    }

    /// The records of which the file of this state consists; `file` is the file that the state was just read from, if
    /// there is one.
    ///
    /// The state is read from them, and keeps nothing of earlier files.
    ///
    /// - Throws: ``FormatError``, or a syntax error of JSON, if nobody could read the file.
    mutating func packedRecords(of file: [UInt8]?, time: Int) throws -> [LocalRecord] {
        // Before the state is read anew, because the base differs from what it is now.
        let rest = rest
        let bytes = file ?? state.bytes(of: device, number: number, time: time)
        let record = LocalRecord.state(bytes: bytes[...])
        if file == nil { try apply(record) }
        let restRecord = try LocalRecord.rest(rest).asRead
        try apply(restRecord)
        return [record, restRecord]
    }

    var rest: LocalRest {
        LocalRest(
            device: device, networks: networks, asked: asked, number: number, files: files,
            outgoing: outgoing,
            joinedStates: joinedStates, sizeOfChanges: sizeOfChanges,
            base: base.difference(from: state, seen: shown))
    }
}
