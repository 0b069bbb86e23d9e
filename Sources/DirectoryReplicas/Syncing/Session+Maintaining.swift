import Directory
import FileSystem

extension Session {
    /// Does the work that is needed only now and then, after a sync.
    mutating func maintain(_ open: OpenReplica) throws {
        wrongAssets = []
        try greet(open)
        try replaceMissingFiles(open)
        try compact(open)
        try checkAssets(open)
    }

    /// Publishes an empty segment to tell others which segments this device has shown: if it is new, and after
    /// removals.
    private mutating func greet(_ open: OpenReplica) throws {
        let told = known.state.acknowledged[known.device] ?? .init()
        let hasNews =
            !told.covers(known.shown) && known.state.hasRemovals(notIn: told)
        guard known.number == 0 || hasNews else { return }
        try publish([], BaseChange(), open, isNeeded: true)
    }

    /// Writes a state if somebody has removed files of this device.
    private mutating func replaceMissingFiles(_ open: OpenReplica) throws {
        let folder = try open.shared.folder(of: known.device)
        let names = Set(try open.shared.disk.list(folder).map(\.string))
        if known.files.contains(where: { !names.contains($0.text) }) { try writeState(open) }
    }
}

extension Session {
    /// Joins the files of this device to fewer ones.
    private mutating func compact(_ open: OpenReplica) throws {
        let changes = known.files.filter { $0.content == .changes }
        if known.sizeOfChanges > options.changesLimit, known.sizeOfChanges > sizeWhenSaved / 2 {
            return try writeState(open)
        }
        guard changes.count >= options.fileLimit else { return }
        try bundle(changes.sorted { $0.number < $1.number }, open)
    }

    /// Writes one file with the segments of several small ones.
    private mutating func bundle(_ names: [SegmentName], _ open: OpenReplica) throws {
        let folder = try open.shared.folder(of: known.device)
        var bytes: [UInt8] = []
        var covered: Set<SegmentName> = []
        for name in names {
            let file = FoundFile(
                folder: try FileName(validating: known.device.description),
                file: try FileName(validating: name.text), name: name)
            guard let size = try open.shared.status(of: file)?.size else { break }
            // Large ones stay as they are.
            if size > options.changesLimit / 4 {
                if covered.count > 1 { break }
                (bytes, covered) = ([], [])
                continue
            }
            guard let part = try open.shared.read(file, environment.rules) else { break }
            bytes += part
            covered.insert(name)
        }
        guard covered.count > 1, let last = covered.map(\.number).max() else { return }
        let new = SegmentName(number: last, content: .changes, of: bytes)
        try replace(covered, by: new, bytes, in: folder, open)
    }

    /// Writes the whole state, which covers all other files of this device.
    mutating func writeState(_ open: OpenReplica) throws {
        let age = options.secondsOfMemory * 1000
        let hasForgotten = known.state.forgetRemovedItems(before: environment.now() - age)
        // The segments in a state, and the items that it no longer has, are durable first.
        known.sizeOfChanges = 0
        if hasForgotten || environment.steps.importing.first == .save { try save(open.files) }
        let bytes = known.state.bytes(
            of: known.device, number: known.number, time: environment.now())
        let name = SegmentName(number: known.number, content: .state, of: bytes)
        let folder = try open.shared.folder(of: known.device)
        try replace(known.files.subtracting([name]), by: name, bytes, in: folder, open)
    }

    /// Writes a file that covers others of this device, and removes these.
    private mutating func replace(
        _ covered: Set<SegmentName>, by new: SegmentName, _ bytes: [UInt8], in folder: Handle,
        _ open: OpenReplica
    ) throws {
        let disk = open.shared.disk
        let files = known.files.subtracting(covered).union([new])
        for step in environment.steps.compacting {
            switch step {
            case .write:
                try SharedFolder.write(
                    bytes, as: FileName(validating: new.text), in: folder,
                    temporary: open.temporary, on: disk)
            case .save: try record(.files(files), open.files)
            case .remove:
                for name in covered.subtracting([new]) {
                    let file = try FileName(validating: name.text)
                    _ = try disk.unlessMissing { try disk.removeFile(file, in: folder) }
                }
            }
        }
    }
}
