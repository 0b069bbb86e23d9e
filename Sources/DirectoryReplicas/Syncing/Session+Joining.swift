import FileSystem

extension Session {
    /// Joins the files that have arrived, and are ready, to the state.
    mutating func join(_ open: OpenReplica) throws {
        let (files, skipped) = try open.shared.list()
        notes.skipped = open.shared.setAside + skipped
        var states = JoinedStates()
        var useless = self.useless
        self.useless = [:]
        for file in files where !isKnown(file) {
            if waiting[file.name] != nil { continue }
            if let known = useless.removeValue(forKey: file) {
                if try open.shared.status(of: file) == known.status {
                    self.useless[file] = known
                    continue
                }
            }
            try read(file, open.shared, &states)
        }
        notes.skipped += self.useless.map { .init(path: $0.key.path, reason: $0.value.reason) }
        let saves = environment.steps.importing.first == .save
        if !states.isEmpty {
            known.joinedStates = known.joinedStates.filter { hash in
                files.contains { $0.name.hash == hash }
            }.union(newStates(files))
            if saves { try save(open.files, as: states.whole) }
        }
        let segments = applyReady()
        noteMissing()
        if !segments.isEmpty, saves, let version {
            self.version = try open.files.append(.joined(segments), to: version)
        }
    }

    /// The files with states that were joined to the one that is known.
    private struct JoinedStates {
        var isEmpty = true
        /// The file with just that state, if there is one.
        var whole: [UInt8]?
    }

    /// Whether nothing new can be in a file.
    ///
    /// The name says which segments it has. If the name is wrong, nobody can use the file.
    func isKnown(_ file: FoundFile) -> Bool {
        if file.device == known.device { return true }
        if known.joinedStates.contains(file.name.hash) { return true }
        guard file.name.content == .changes, let device = file.device else { return false }
        return known.state.seen[device] >= file.name.number
    }

    private func newStates(_ files: [FoundFile]) -> Set<String> {
        Set(
            files.filter { $0.name.content == .state && useless[$0] == nil && !isKnown($0) }
                .map(\.name.hash)
        ).intersection(readStates)
    }

    private mutating func read(
        _ file: FoundFile, _ shared: SharedFolder, _ states: inout JoinedStates
    ) throws {
        guard let status = try shared.status(of: file) else { return }
        do {
            guard let bytes = try shared.read(file, environment.rules) else { return }
            switch file.name.content {
            case .changes: waiting[file.name] = try Segment.read(bytes[...])
            case .state:
                let state = try StateFile(bytes[...], environment.rules).state
                guard canKnow(state.seen.numbers.keys) else {
                    throw FormatError("it has too many devices")
                }
                states.whole = known.state.seen == .init() ? bytes : nil
                states.isEmpty = false
                let changed = known.state.join(state)
                // A union with nothing would hash each item of a large state again.
                unsettled = unsettled.isEmpty ? changed : unsettled.union(changed)
                readStates.insert(file.name.hash)
            }
        } catch let error as FileSystemError {
            // It may be readable the next time.
            notes.skipped.append(.init(path: file.path, reason: error.code.reason))
        } catch {
            useless[file] = (status, (error as? FormatError)?.description ?? "\(error)")
        }
    }

    /// Applies segments whose devices had seen nothing more than this one, until there are no more.
    private mutating func applyReady() -> [Segment] {
        var applied: [Segment] = []
        var hasProgress = true
        while hasProgress {
            hasProgress = false
            for (name, segments) in waiting.sorted(by: { $0.key.number < $1.key.number }) {
                let new = segments.filter { !known.state.contains($0.header) }
                var rest = new[...]
                while let next = rest.first,
                    environment.rules.isReady(next.header, known.state.seen),
                    canKnow([next.header.device])
                {
                    unsettled.formUnion(known.state.receive(next))
                    applied.append(next)
                    rest.removeFirst()
                }
                hasProgress = hasProgress || rest.count < segments.count
                waiting[name] = rest.isEmpty ? nil : Array(rest)
            }
        }
        return applied
    }

    /// Whether the local state stays readable with these devices.
    private func canKnow(_ devices: some Sequence<DeviceID>) -> Bool {
        let seen = known.state.seen
        let new = devices.filter { seen[$0] == 0 }
        return new.isEmpty || seen.numbers.count + new.count <= Limits.devices
    }

    /// Notes whose segments are missing.
    private mutating func noteMissing() {
        notes.missing = [:]
        for segment in waiting.values.compactMap(\.first) {
            let header = segment.header
            for (device, number) in header.seen.numbers {
                let have = known.state.seen[device]
                if have < number { notes.missing[device] = have + 1 }
            }
        }
    }
}
