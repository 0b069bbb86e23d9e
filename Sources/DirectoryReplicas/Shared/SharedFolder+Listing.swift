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
    ///
    /// The folders of `known` devices come first, so that no number of others can push them out.
    func list(_ known: Set<DeviceID>) throws -> (files: [FoundFile], skipped: [SkippedSegment]) {
        var (files, skipped): ([FoundFile], [SkippedSegment]) = ([], [])
        func isKnown(_ folder: FileName) -> Bool {
            DeviceID(folder.string).map(known.contains) ?? false
        }
        let all = try disk.list(replicas).filter { !$0.isHidden }.sorted { $0.string < $1.string }
        let folders = all.filter(isKnown) + all.filter { !isKnown($0) }
        var usedCount = 0
        for (number, folder) in folders.enumerated() {
            guard isKnown(folder) || (usedCount < Limits.devices && number < Limits.folders) else {
                skipped.append(.init(path: "replicas", reason: "it has too many folders"))
                break
            }
            do {
                guard let kind = try disk.status(of: folder, in: replicas)?.kind else { continue }
                guard kind == .folder else {
                    skipped.append(.init(path: "replicas/\(folder)", reason: "it is not a folder"))
                    continue
                }
                let found = try list(folder)
                if !found.isEmpty { usedCount += 1 }
                files += found.prefix(Limits.files)
                if found.count > Limits.files {
                    skipped.append(
                        .init(path: "replicas/\(folder)", reason: "it has too many files"))
                }
            } catch let error as FileSystemError where error.isAboutOneFile {
                skipped.append(.init(path: "replicas/\(folder)", reason: error.reason))
            }
        }
        files.sort { ($0.name.number, $0.name.hash) < ($1.name.number, $1.name.hash) }
        return (files, skipped)
    }

    private func list(_ folder: FileName) throws -> [FoundFile] {
        guard let opened = try disk.openFolderIfPresent(folder, in: replicas) else { return [] }
        return try disk.list(opened).compactMap { file in
            if file.isHidden { return nil }
            return SegmentName(file).map { FoundFile(folder: folder, file: file, name: $0) }
        }
    }

    /// The status of a file, to find out whether it has changed since it was found to be useless; nil if it is gone.
    func status(of found: FoundFile) throws -> FileStatus? {
        guard let folder = try disk.openFolderIfOne(found.folder, in: replicas) else { return nil }
        return try disk.status(of: found.file, in: folder)
    }

    /// The bytes of a file; nil if it is gone, or only in a cloud.
    ///
    /// - Throws: ``FormatError`` if it is too large or no file, or ``WrongBytes``.
    func read(_ found: FoundFile, _ rules: MergeRules) throws -> [UInt8]? {
        guard let folder = try disk.openFolderIfOne(found.folder, in: replicas) else { return nil }
        guard let kind = try disk.status(of: found.file, in: folder)?.kind else { return nil }
        guard kind == .file else { throw FormatError("it is not a file") }
        let opened = try disk.openFileIfPresent(found.file, in: folder, for: .read)
        guard let file = opened else { return nil }
        let status = try disk.status(of: file)
        if status.isDataless { return nil }
        let limit = found.name.content == .state ? Limits.state : Limits.changes
        guard status.size <= limit else { throw FormatError("it is too large") }
        let bytes = try disk.readAll(file, expecting: status.size)
        let hash = SHA256.hash(bytes).description
        guard rules.isWhole(hash, found.name.hash) else { throw WrongBytes() }
        return bytes
    }
}

/// The bytes of a file are not those of its name.
struct WrongBytes: Error, CustomStringConvertible {
    let description = "its bytes do not fit its name: it is damaged, or has not arrived completely"
}

extension FileSystemError {
    /// Whether the error concerns this file or folder alone, so that others may be usable.
    var isAboutOneFile: Bool { [.accessDenied, .notPermitted, .ioError].contains(code) }
}
