import Directory
import FileSystem

extension Session {
    /// Does the work that is needed only now and then, after a sync.
    mutating func maintain(_ open: OpenReplica) throws {
        let now = environment.now()
        // The clock can be set back.
        let isHourly = lastCheck.map { !(0..<3_600_000).contains(now - $0) } ?? true
        if isHourly { lastCheck = now }
        try greet(open)
        try replaceUselessFiles(open, readingThem: isHourly)
        try ask(open)
        try answer(open)
        try compact(open)
        if isHourly { try checkAssets(open) }
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

    /// Writes a state if somebody has removed or damaged files of this device.
    private mutating func replaceUselessFiles(_ open: OpenReplica, readingThem: Bool) throws {
        let folder = try open.shared.folder(of: known.device)
        let names = Set(try open.shared.disk.list(folder).map(\.string))
        let isUseless = try known.files.contains { name in
            if !names.contains(name.text) { return true }
            guard readingThem else { return false }
            do {
                // One that is only in a cloud, or cannot be read now, may be as it was.
                _ = try read(name, open.shared)
                return false
            } catch is WrongBytes, is FormatError {
                return true
            }
        }
        if isUseless { try writeState(open) }
    }

    /// The bytes of a file of this device; nil if they cannot be read now.
    ///
    /// - Throws: ``WrongBytes`` or ``FormatError`` if it is damaged.
    private func read(_ name: SegmentName, _ shared: SharedFolder) throws -> [UInt8]? {
        let file = FoundFile(
            folder: try FileName(validating: known.device.description),
            file: try FileName(validating: name.text), name: name)
        do {
            return try shared.read(file, environment.rules)
        } catch let error as FileSystemError where error.isAboutOneFile {
            return nil
        }
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
            // A damaged one is replaced by a state, within an hour.
            guard let part = try? read(name, open.shared) else { break }
            // Large ones stay as they are.
            if part.count > options.changesLimit / 4 {
                if covered.count > 1 { break }
                (bytes, covered) = ([], [])
                continue
            }
            bytes += part
            covered.insert(name)
        }
        guard covered.count > 1, let last = covered.map(\.number).max() else { return }
        let new = SegmentName(number: last, content: .changes, of: bytes)
        try replace(covered, by: new, bytes, in: folder, open)
    }

    /// Writes the whole state, which covers all other files of this device.
    mutating func writeState(_ open: OpenReplica, answering answers: VersionVector? = nil) throws {
        let age = options.secondsOfMemory * 1000
        let hasForgotten = known.state.forgetRemovedItems(before: environment.now() - age)
        // The segments in a state, and the items that it no longer has, are durable first.
        known.sizeOfChanges = 0
        if hasForgotten || environment.steps.importing.first == .save { try save(open.files) }
        var time = environment.now()
        var (bytes, name) = stateFile(time: time, answering: answers)
        // A file that is damaged has the name of what it was.
        while known.files.contains(name) {
            time += 1
            (bytes, name) = stateFile(time: time, answering: answers)
        }
        guard bytes.count <= Limits.state else { return }
        let folder = try open.shared.folder(of: known.device)
        try replace(known.files, by: name, bytes, in: folder, open)
    }

    private func stateFile(time: Int, answering answers: VersionVector?) -> (
        bytes: [UInt8], name: SegmentName
    ) {
        let bytes = known.state.bytes(
            of: known.device, number: known.number, time: time,
            answering: answers ?? self.answers, asking: known.asked)
        return (bytes, SegmentName(number: known.number, content: .state, of: bytes))
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
