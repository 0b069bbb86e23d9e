import DirectoryReplicas
import FileSystem
import JSONCodec

/// What really happened, without a look at what replicas think that others have seen.
///
/// After a crash it is not known whether the device showed what it had just read: so there are two answers to what the
/// writer of a segment knew, the least and the most.
struct Oracle {
    /// What somebody knew at one moment.
    struct Knowledge {
        var least: Set<Dot> = []
        var most: Set<Dot> = []

        func union(_ dots: Set<Dot>) -> Self {
            Self(least: least.union(dots), most: most.union(dots))
        }
    }

    struct Write {
        var dot: Dot
        var value: String?
    }

    private(set) var writes: [ItemReference: [String: [Write]]] = [:]
    private(set) var removals: [ItemReference: [Dot]] = [:]
    /// The segments that removed an item only together with a container.
    var removalsOfContainers: [ItemReference: Set<Dot>] = [:]
    /// Whether devices forget removed items as soon as all that they know have seen that.
    var forgets = true
    /// What the writer of a segment knew.
    private var past: [Dot: Knowledge] = [:]
    /// The segments that the writer of a segment showed of an item, if these are not all that it knew.
    private var older: [Dot: [ItemReference: VersionVector]] = [:]
    /// The segments in a file, and what a file with a state has, by the hashes of their bytes.
    private var contents: [SHA256.Digest: Set<Dot>] = [:]
    private var states: [SHA256.Digest: Knowledge] = [:]
    /// The devices whose stores were set back, and who became others.
    private(set) var setBack: Set<DeviceID> = []

    /// Notes that the store of a device was set back.
    mutating func noteSettingBack(of device: DeviceID) { setBack.insert(device) }

    /// Notes a file that a device has written.
    mutating func note(
        _ bytes: [UInt8], before: Knowledge, joined: Knowledge, isState: Bool
    ) throws {
        let hash = SHA256.hash(bytes)
        guard contents[hash] == nil, states[hash] == nil else { return }
        if isState {
            states[hash] = joined
            return
        }
        let segments = try Segment.read(bytes[...])
        contents[hash] = Set(segments.map { Dot($0.header.device, $0.header.number) })
        for segment in segments {
            let dot = Dot(segment.header.device, segment.header.number)
            guard past[dot] == nil else { continue }
            var knowledge = before
            // Without entries, it is a greeting, which says what the import before it has brought: the one of this sync,
            // or that of an earlier one that was killed before it sent the greeting.
            if segment.entries.isEmpty { knowledge.most = joined.most }
            for number in 1..<max(1, dot.number) {
                knowledge.least.insert(Dot(dot.device, number))
                knowledge.most.insert(Dot(dot.device, number))
            }
            past[dot] = knowledge
            for entry in segment.entries { try note(entry, dot) }
        }
    }

    private mutating func note(_ entry: SegmentEntry, _ dot: Dot) throws {
        let item = ItemReference(entry.kind, entry.key)
        if let seen = entry.seen { older[dot, default: [:]][item] = seen }
        func write(_ member: String, _ value: String?) {
            writes[item, default: [:]][member, default: []].append(Write(dot: dot, value: value))
        }
        if entry.removed != .nothing { removals[item, default: []].append(dot) }
        if entry.removed == .container { removalsOfContainers[item, default: []].insert(dot) }
        if let container = entry.container { write("@of", container?.text) }
        if let file = entry.file { write("@file", file.hash.description) }
        for member in try entry.set.flatMap({ try JSONMembers.all(of: $0) }) ?? [] {
            write(member.name, String(decoding: member.value, as: UTF8.self))
        }
        for name in entry.unset { write(name, nil) }
    }

    /// The segments in a file.
    func segments(in bytes: [UInt8]) -> Set<Dot> { contents[SHA256.hash(bytes)] ?? [] }

    /// What a device knows that knew `known`, and has read files with these bytes.
    ///
    /// It has certainly joined a segment if it knows the most that its writer can have known, and may have joined it if it
    /// knows the least.
    func joined(_ known: Knowledge, _ files: some Sequence<[UInt8]>) -> Knowledge {
        let hashes = files.map { SHA256.hash($0) }
        return Knowledge(
            least: joined(known.least, hashes, states: \.least, ifKnown: \.most),
            most: joined(known.most, hashes, states: \.most, ifKnown: \.least))
    }

    private func joined(
        _ known: Set<Dot>, _ files: [SHA256.Digest], states part: KeyPath<Knowledge, Set<Dot>>,
        ifKnown needed: KeyPath<Knowledge, Set<Dot>>
    ) -> Set<Dot> {
        var known = known
        var waiting: Set<Dot> = []
        for hash in files {
            if let state = states[hash] { known.formUnion(state[keyPath: part]) }
            waiting.formUnion(contents[hash] ?? [])
        }
        var hasProgress = true
        while hasProgress {
            hasProgress = false
            for dot in waiting.subtracting(known)
            where past[dot]?[keyPath: needed].isSubset(of: known) == true {
                known.insert(dot)
                hasProgress = true
            }
        }
        return known
    }

    var publishedValues: Set<String> {
        Set(writes.values.flatMap { $0.values.flatMap { $0.compactMap(\.value) } })
    }
}

extension Oracle {
    /// Whether the writer of `later` may have known `dot`.
    func mayKnow(_ later: Dot, _ dot: Dot) -> Bool {
        past[later]?.most.contains(dot) == true
    }
    func knows(_ later: Dot, _ dot: Dot, of item: ItemReference) -> Bool {
        let isShown = dot.device == later.device || older[later]?[item]?.covers(dot) != false
        return isShown && past[later]?.least.contains(dot) == true
    }

    /// The values of a member that nobody can have replaced, or removed with the item.
    func keptValues(_ item: ItemReference, _ member: String) -> [Write] {
        let all = writes[item]?[member] ?? []
        return all.filter { write in
            !all.contains { $0.dot != write.dot && mayKnow($0.dot, write.dot) }
                && !(removals[item] ?? []).contains { mayKnow($0, write.dot) }
        }
    }

    /// The values of a member that somebody has certainly not replaced knowing them.
    func possibleValues(_ item: ItemReference, _ member: String) -> [Write] {
        let all = writes[item]?[member] ?? []
        return all.filter { write in
            !all.contains { $0.dot != write.dot && knows($0.dot, write.dot, of: item) }
        }
    }

    /// The values of a member that somebody may have removed with the item.
    ///
    /// Such a value can be forgotten. If the item comes back, whoever still shows the value tells the others again.
    func removedValues(_ item: ItemReference, _ member: String) -> [Write] {
        (writes[item]?[member] ?? []).filter { write in
            (removals[item] ?? []).contains { mayKnow($0, write.dot) }
        }
    }

    /// Whether a member may be missing although nobody has removed it alone.
    func mayBeForgotten(_ item: ItemReference, _ member: String) -> Bool {
        removedValues(item, member).count == writes[item]?[member]?.count
    }
}
