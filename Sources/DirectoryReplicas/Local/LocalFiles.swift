import FileSystem
import Foundation

/// The two hidden files beside the index of the root: `.projects.replica`, the local state, and `.projects.device`,
/// which says whose it is.
struct LocalFiles {
    let disk: any FileSystem
    let folder: Handle
    let state: FileName
    let device: FileName

    init(_ stem: FileName, in folder: Handle, on disk: any FileSystem) throws {
        (self.disk, self.folder) = (disk, folder)
        state = try FileName(validating: ".\(stem).replica")
        device = try FileName(validating: ".\(stem).device")
    }

    var url: URL { URL(filePath: folder.path(of: state), directoryHint: .notDirectory) }
}

/// Identifies one version of the file of the local state.
struct LocalVersion: Equatable, Sendable {
    let identity: FileIdentity
    /// In bytes.
    let size: Int
    /// The time of the last write.
    private let modified: FileTime
    /// The time of the last change, which nobody can set.
    private let changed: FileTime

    init(_ status: FileStatus) {
        (identity, size) = (status.identity, status.size)
        (modified, changed) = (status.modified, status.changed)
    }
}

extension LocalFiles {
    /// The version of the state on disk; nil if there is none.
    func version() throws -> LocalVersion? {
        try disk.status(of: state, in: folder).map(LocalVersion.init)
    }

    /// Reads the state; nil if there is none.
    ///
    /// An incomplete record at the end, which a power loss leaves, is cut off.
    func read(_ rules: MergeRules) throws -> (state: LocalState, version: LocalVersion)? {
        let found = try disk.openFileIfPresent(state, in: folder, for: .update)
        guard let file = found else { return nil }
        let bytes = try disk.readAll(file)
        let (records, length) = try LocalRecord.read(bytes)
        if records.isEmpty { return nil }
        var local = LocalState(device: DeviceID(high: 0, low: 0), rules)
        for record in records { try local.apply(record) }
        if length < bytes.count { try disk.truncate(file, to: length) }
        // The process that wrote it may have died before it did that.
        try disk.sync(file)
        return (local, LocalVersion(try disk.status(of: file)))
    }

    /// Adds `record` to the file with `version`, and puts it on stable storage.
    func append(_ record: LocalRecord, to version: LocalVersion) throws -> LocalVersion {
        let bytes = record.bytes
        let file = try disk.openFile(state, in: folder, for: .update)
        let status = try disk.status(of: file)
        guard status.identity == version.identity, status.size == version.size else {
            throw FileSystemError("write to", folder.path(of: state), .noSuchFile)
        }
        do {
            try disk.write(bytes, to: file, at: version.size)
            try disk.sync(file)
            return LocalVersion(try disk.status(of: file))
        } catch {
            // Best effort: the next reader cuts off an incomplete record, and applies a whole one, whose content
            // is true as well.
            try? disk.truncate(file, to: version.size)
            throw error
        }
    }

    /// Replaces the file by one with `records`, and puts that on stable storage.
    func replace(by records: [LocalRecord]) throws -> LocalVersion {
        let temporary = try FileName(validating: "\(state).\(RandomName.digits()).tmp")
        let file = try disk.placeFile(state, in: folder, from: temporary, in: folder) {
            let file = try disk.openFile(temporary, in: folder, for: .create(mode: 0o600))
            var size = 0
            for record in records {
                let bytes = record.bytes
                try disk.write(bytes, to: file, at: size)
                size += bytes.count
            }
            return file
        }
        return LocalVersion(try disk.status(of: file))
    }

    /// Gives a state that cannot be read another name, so that nothing overwrites it.
    func setAside() throws {
        guard try disk.status(of: state, in: folder) != nil else { return }
        let name = try FileName(validating: "\(state).damaged.\(RandomName.digits().prefix(8))")
        try disk.rename(state, in: folder, to: name, in: folder, replacing: false)
        try disk.sync(folder)
    }

    /// Removes temporary files of processes that died.
    func removeTemporaryFiles() throws {
        for name in try disk.list(folder)
        where RandomName.matches(name, prefix: "\(state).", suffix: ".tmp")
            || RandomName.matches(name, prefix: ".", suffix: ".tmp")
        {
            _ = try disk.unlessMissing { try disk.removeFile(name, in: folder) }
        }
    }
}
