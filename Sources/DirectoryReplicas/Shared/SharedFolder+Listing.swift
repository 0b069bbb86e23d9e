import FileSystem

/// A file in the folder of a device, by the names that lead to it.
struct FoundFile: Hashable, Sendable {
    var folder: FileName
    var file: FileName
    var name: SegmentName

    /// The device whose folder it is in; nil if the folder has another name.
    var device: DeviceID? { DeviceID(folder.string) }
    var path: String { "replicas/\(folder)/\(file)" }
}

/// A file that is not used, and why.
struct SkippedSegment: Hashable, Sendable {
    var path: String
    var reason: String
}

extension SharedFolder {
    /// The files of all devices, and the folders that cannot be read or are too large.
    func list() throws -> (files: [FoundFile], skipped: [SkippedSegment]) {
        var files: [FoundFile] = []
        var skipped: [SkippedSegment] = []
        let folders = try disk.list(replicas).sorted { $0.string < $1.string }
        for folder in folders.prefix(Limits.devices) {
            guard !folder.isHidden, let kind = try disk.status(of: folder, in: replicas)?.kind
            else { continue }
            guard kind == .folder else {
                skipped.append(.init(path: "replicas/\(folder)", reason: "it is not a folder"))
                continue
            }
            let names: [FileName]
            do {
                guard let opened = try disk.openFolderIfPresent(folder, in: replicas) else {
                    continue
                }
                names = try disk.list(opened)
            } catch let error as FileSystemError where error.isAboutOneFile {
                skipped.append(.init(path: "replicas/\(folder)", reason: error.code.reason))
                continue
            }
            for file in names.prefix(Limits.files) where !file.isHidden {
                if let name = SegmentName(file) {
                    files.append(FoundFile(folder: folder, file: file, name: name))
                }
            }
            if names.count > Limits.files {
                skipped.append(.init(path: "replicas/\(folder)", reason: "it has too many files"))
            }
        }
        if folders.count > Limits.devices {
            skipped.append(.init(path: "replicas", reason: "it has too many folders"))
        }
        files.sort { ($0.name.number, $0.name.hash) < ($1.name.number, $1.name.hash) }
        return (files, skipped)
    }

    /// The status of a file, to find out whether it has changed since it was found to be useless; nil if it is gone.
    func status(of found: FoundFile) throws -> FileStatus? {
        guard let folder = try disk.openFolderIfPresent(found.folder, in: replicas) else {
            return nil
        }
        return try disk.status(of: found.file, in: folder)
    }

    /// The bytes of a file; nil if it is gone, or is not here yet: its bytes do not fit its name.
    ///
    /// - Throws: ``FormatError`` if it is too large.
    func read(_ found: FoundFile, _ rules: MergeRules) throws -> [UInt8]? {
        guard let folder = try disk.openFolderIfPresent(found.folder, in: replicas) else {
            return nil
        }
        let opened = try disk.unlessMissing {
            try disk.openFile(found.file, in: folder, for: .read)
        }
        guard let file = opened else { return nil }
        let status = try disk.status(of: file)
        if status.isDataless { return nil }
        let limit = found.name.content == .state ? Limits.state : Limits.changes
        guard status.size <= limit else { throw FormatError("it is too large") }
        let bytes = try disk.readAll(file, expecting: status.size)
        let hash = SHA256.hash(bytes).description
        return rules.isWhole(hash, found.name.hash) ? bytes : nil
    }
}

extension FileSystemError {
    /// Whether the error concerns this file or folder alone, so that others may be usable.
    var isAboutOneFile: Bool { [.accessDenied, .notPermitted, .ioError].contains(code) }
}
