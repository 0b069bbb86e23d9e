import Directory
import FileSystem

/// A member of an item with several values.
struct ConflictNote: Sendable {
    var item: ItemReference
    var member: String
    /// The one that is shown first.
    var values: [Register<ArraySlice<UInt8>?>.Entry]
}

extension Session {
    /// The members of shown items that have several values.
    func conflicts() -> [ConflictNote] {
        var found: [ConflictNote] = []
        let rules = environment.rules
        for item in known.state.contested {
            guard let kind = kinds[item.kind], let registers = known.state[item]?.registers,
                known.state.isAlive(item)
            else {
                continue
            }
            for (name, register) in registers.members where register.entries.count > 1 {
                let values = register.candidates.sorted { rules.precedes($1.stamp, $0.stamp) }
                let line = known.base[item]?.line ?? []
                let areSame = values.dropFirst().allSatisfy {
                    kind.coding.areSame(values[0].value, $0.value, of: name, in: line)
                }
                if !areSame {
                    found.append(ConflictNote(item: item, member: name, values: values))
                }
            }
        }
        return found.sorted { ($0.item.key, $0.member) < ($1.item.key, $1.member) }
    }

    /// Gives a member one of its values, which ends the conflict on all devices.
    mutating func resolve(
        _ item: ItemReference, _ member: String, _ value: ArraySlice<UInt8>?
    ) throws {
        try open { session, open in
            var report = SyncReport()
            try session.begin(open, &report)
            try session.publish(open, &report)
            _ = try session.importChanges(open)
            let conflict = session.conflicts().first { $0.item == item && $0.member == member }
            guard let chosen = conflict?.values.first(where: { $0.value == value }) else {
                throw ReplicaError(
                    .notFound, session.root.url, "the conflict was resolved meanwhile")
            }
            let entry = session.entry(giving: chosen, to: member, of: item)
            // From here on, the call takes place.
            session.cancellation = Cancellation()
            // The value replaces all those of the state, also if the item is shown in an older version.
            try session.publish([entry], BaseChange(), open)
            session.unsettled.insert(item)
            _ = try session.importChanges(open)
        }
    }

    /// The entry that gives a member one of its values.
    ///
    /// If one of several files came with the value, the item gets that file, and all values that came with it: some of
    /// them describe the file.
    private func entry(
        giving value: Register<ArraySlice<UInt8>?>.Entry, to member: String,
        of item: ItemReference
    ) -> SegmentEntry {
        var entry = SegmentEntry(item)
        var values = [member: value.value]
        let registers = known.state[item]?.registers ?? .init()
        let files = registers.file.candidates
        let file = files.first { $0.stamp.dot == value.stamp.dot }
        if files.count > 1, let file {
            entry.file = file.value
            for (name, register) in registers.members {
                let other = register.candidates.first { $0.stamp.dot == value.stamp.dot }
                if let other { values[name] = other.value }
            }
        }
        var writer = LineWriter()
        writer.object { object in
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                if let value { object.member(name, json: value) } else { entry.unset.append(name) }
            }
        }
        if entry.unset.count < values.count { entry.set = writer.bytes[...] }
        return entry
    }

    /// Says that a device is not waited for any longer.
    mutating func remove(_ device: DeviceID) throws {
        try open { session, open in
            var report = SyncReport()
            try session.begin(open, &report)
            guard session.known.state.devices[device] != nil, device != session.known.device else {
                throw ReplicaError(.notFound, session.root.url, "there is no such other device")
            }
            try session.publish([], BaseChange(), open, removing: [device])
        }
    }
}

extension Session {
    /// Publishes all changes, says that the store is not waited for, on this machine or another one, and removes the
    /// local state.
    mutating func leave() throws {
        try openLocal { session, files, identity in
            do {
                try session.tellThatItLeaves(session.openReplica(files, identity))
            } catch let error as ReplicaError where error.isAboutSharedFolder {
                // Nobody can be told.
            }
            for name in [files.state, files.device] {
                try files.disk.removeFile(name, in: files.folder)
            }
            try files.disk.sync(files.folder)
            session.hasLeft = true
        }
    }

    private mutating func tellThatItLeaves(_ open: OpenReplica) throws {
        var report = SyncReport()
        try begin(open, &report)
        try publish(open, &report)
        let others = open.identity.homes.filter { $0.isAsLeft(in: known.state) }
        try publish(
            [], BaseChange(), open, removing: [known.device] + others.map(\.device))
    }
}

extension ReplicaError {
    /// Whether the shared folder is missing, or is not that of this collection.
    fileprivate var isAboutSharedFolder: Bool {
        [.folderMissing, .otherNetwork, .notAReplica].contains(code)
    }
}
