import Directory
import FileSystem
import Foundation

extension Session {
    /// Writes the changes of this device into segments, and these into the shared folder.
    ///
    /// The bytes of files come first, then the local state with the segments, then the segments in the shared folder.
    ///
    /// - Throws: The `DirectoryError` of a collection that cannot be read, if the device has published nothing yet.
    mutating func publish(_ open: OpenReplica, _ report: inout SyncReport) throws {
        let looks = try look()
        (unreadable, withoutFile) = (looks.unreadable, looks.withoutFile)
        notes.unreadAssets = [:]
        // In a store that was copied or set back, it may have items that others show elsewhere now.
        if known.number == 0, let error = unreadable.values.first { throw error }
        let (entries, change, undamaged) = try difference(looks.looks, open)
        try publish(entries, change, open)
        report.published += entries.count
        reconsiderNames(of: Set(change.items.map(\.item.kind) + entries.map(\.kind)))
        unsettled.formUnion(undamaged)
        unsettled.formUnion(withoutFile)
        // The file may come later.
        unsettled.formUnion(
            change.items.filter { item, shown in
                shown != nil && shown?.file == nil && kinds[item.kind]?.ownsFiles == true
            }.map(\.item))
        released = []
        (rootLines, marks) = (looks.rootLines, looks.marks)
    }

    /// The entries to publish, the change of the base that belongs to them, and the items that are not damaged any longer.
    ///
    /// The difference ends here: while it has the base, that would be copied when it changes.
    private mutating func difference(_ looks: [CollectionLook], _ open: OpenReplica) throws
        -> (entries: [SegmentEntry], change: BaseChange, undamaged: [ItemReference])
    {
        var difference = try Difference(
            looks, known, kinds, unreadable: Set(unreadable.keys), at: root.url)
        // A process may have died after it committed the removals of others, and before it recorded that.
        let held = held(of: difference.removed.filter { known.state.isAlive($0) }, looks)
        notes.held = Set(held.keys)
        try checkNames(looks)
        for look in looks {
            for item in look.items where item.changed != nil {
                places[ItemReference(look.collection.kind, item.key)] = look.collection.container
            }
        }
        defer { places = [:] }
        difference.addRemovals(holding: held)
        var random = Chance(environment: environment)
        for look in looks {
            try difference.add(
                look, using: &random,
                takenNames: { try takenNames(look.collection, beside: $0) },
                publish: { try publishAsset($0, of: $1, look.collection, open) })
        }
        try difference.addForgotten(unsettled) { try publishAsset($0, of: $1, $2, open) }
        difference.addLost(unsettled, of: known.device)
        return (difference.entries, difference.change, difference.undamaged)
    }

    /// Lets the next import look at the containers that have not the names that they want, if these may be free now.
    private mutating func reconsiderNames(of kinds: Set<String>) {
        for kind in kinds where self.kinds[kind]?.ownsFolders == true {
            for (key, shown) in known.base.items[kind] ?? .init()
            where shown.wantedFolderName != nil {
                unsettled.insert(ItemReference(kind, key))
            }
        }
    }

    /// Publishes entries, also none if `isNeeded`.
    mutating func publish(
        _ entries: [SegmentEntry], _ change: BaseChange, _ open: OpenReplica,
        removing devices: [DeviceID] = [], isNeeded: Bool = false, asking request: Request? = nil
    ) throws {
        let repeated = known.state.repeatedRemovals(beside: entries, shown: known.shown)
        let entries = (entries + repeated).flatMap(\.parts)
        var segments = segments(entries, isNeeded: isNeeded || !devices.isEmpty)
        if segments.isEmpty {
            if !change.isEmpty { try record(.imported(change), open.files) }
            return
        }
        for entry in entries { try checkThatOthersCanRead(entry) }
        segments[segments.count - 1].header.removedDevices = devices
        segments[segments.count - 1].header.request = request
        let record = LocalRecord.published(segments, change)
        let left = entries.filter { $0.removed != .nothing || $0.container != nil }
            .compactMap { known.state.container(of: ItemReference($0.kind, $0.key)) }
        try known.apply(record)
        // Others have removed such a container, and only the item that was removed or moved here kept it.
        unsettled.formUnion(left.filter { !known.state.isAlive($0) })
        // A container that was removed here lives if something in it does that was not shown here.
        let removed = entries.filter { $0.removed != .nothing }.map {
            ItemReference($0.kind, $0.key)
        }
        unsettled.formUnion(removed.filter { known.state.isAlive($0) })
        for step in environment.steps.publishing {
            switch step {
            case .save: try append(record, open.files)
            case .send: try sendOutgoing(open)
            }
        }
    }

    private func checkThatOthersCanRead(_ entry: SegmentEntry) throws {
        var writer = LineWriter()
        writer.object { entry.write(to: &$0) }
        do {
            _ = try SegmentEntry(LineFields(writer.bytes[...]))
            guard writer.bytes.count <= Limits.entry else {
                throw FormatError("it has more than \(Limits.entry >> 20) MiB")
            }
        } catch {
            throw ReplicaError(
                .unsupportedItem, root.url,
                "other devices could not read the item “\(entry.key.id.prefix(100))” of \(entry.kind): "
                    + "\((error as? FormatError)?.description ?? "\(error)")",
                underlying: error)
        }
    }

    /// Divides entries into segments that are not too large, containers before the items in them.
    private func segments(_ entries: [SegmentEntry], isNeeded: Bool) -> [Segment] {
        var parts: [[SegmentEntry]] = isNeeded ? [[]] : []
        var size = Int.max
        let depths = Dictionary(
            uniqueKeysWithValues: kindsFromTop.enumerated().map { ($1, $0) })
        let ordered = entries.enumerated().sorted {
            (depths[$0.element.kind] ?? 0, $0.offset) < (depths[$1.element.kind] ?? 0, $1.offset)
        }
        for (_, entry) in ordered {
            let length = (entry.set?.count ?? 0) + 128
            if size.addingReportingOverflow(length).partialValue > options.segmentSize
                || size == .max
            {
                if !(parts.last?.isEmpty ?? false) { parts.append([]) }
                size = 0
            }
            parts[parts.count - 1].append(entry)
            size += length
        }
        let time = environment.now()
        return parts.enumerated().map { index, entries in
            var header = SegmentHeader(
                device: known.device, number: known.number + 1 + index, time: time,
                seen: known.shown)
            header.seen[known.device] = header.number - 1
            header.name = options.shortDeviceName
            return Segment(header: header, entries: entries)
        }
    }

    /// Sends the files that are not known to be in the shared folder.
    mutating func sendOutgoing(_ open: OpenReplica) throws {
        guard !known.outgoing.isEmpty else { return }
        for file in known.outgoing {
            let folder = try open.shared.folder(of: file.device)
            let name = try FileName(validating: file.name.text)
            if let status = try open.shared.disk.status(of: name, in: folder),
                status.size == file.bytes.count
            {
                continue
            }
            try SharedFolder.write(
                file.bytes, as: name, in: folder, temporary: open.temporary, on: open.shared.disk)
        }
        known.outgoing = []
    }

    /// Sends the files of the device that the store was before, and notes durably that they are sent.
    ///
    /// Otherwise each move to another machine would save them again.
    mutating func sendFilesOfFormerDevice(_ open: OpenReplica) throws {
        guard known.outgoing.contains(where: { $0.device != known.device }) else { return }
        try sendOutgoing(open)
        try record(.files(known.files), open.files)
    }

    /// Throws if a container has a folder name that nobody could change.
    private func checkNames(_ looks: [CollectionLook]) throws {
        for look in looks {
            guard let binding = kinds[look.collection.kind], binding.ownsFolders else { continue }
            for item in look.items {
                guard let line = item.changed, let name = line.folderName else { continue }
                try binding.checkThatNameCanChange(line, name, of: item.key, root.url)
            }
        }
    }
}
