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
        for item in known.state.contested where kinds[item.kind] != nil {
            guard let registers = known.state[item]?.registers, known.state.isAlive(item) else {
                continue
            }
            for (name, register) in registers.members where register.entries.count > 1 {
                let values = register.candidates.sorted { rules.precedes($1.stamp, $0.stamp) }
                if Set(values.map(\.value)).count > 1 {
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
            guard
                let conflict = session.conflicts().first(where: {
                    $0.item == item && $0.member == member
                }), conflict.values.contains(where: { $0.value == value })
            else {
                throw ReplicaError(
                    .notFound, session.root.url, "the conflict was resolved meanwhile")
            }
            var entry = SegmentEntry(item)
            if let value {
                var writer = LineWriter()
                writer.object { $0.member(member, json: value) }
                entry.set = writer.bytes[...]
            } else {
                entry.unset = [member]
            }
            // The value replaces all those of the state, also if the item is shown in an older version.
            try session.publish([entry], BaseChange(), open)
            session.unsettled.insert(item)
            _ = try session.importChanges(open)
        }
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
    /// Publishes all changes, says that this device is not waited for, and removes the local state.
    mutating func leave() throws {
        try open { session, open in
            var report = SyncReport()
            try session.begin(open, &report)
            try session.publish(open, &report)
            try session.publish([], BaseChange(), open, removing: [session.known.device])
            for name in [open.files.state, open.files.device] {
                try open.files.disk.removeFile(name, in: open.files.folder)
            }
            try open.files.disk.sync(open.files.folder)
            session.hasLeft = true
        }
    }
}
